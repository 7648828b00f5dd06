# shellcheck shell=bash disable=SC2034,SC2154
# The part of the completion for bash that is the same whatever commands there are. Tables of these come before it, as
# _culprit_known and _culprit_takes. Names of versions are nowhere expanded: they come from files of others.

# Adds what goes on from the word at the cursor; bash keeps what stands there up to the last of its word breaks.
_culprit_reply() {
  local candidate before=$1
  shift
  for candidate; do
    candidate=$before$candidate
    if [[ $candidate == "$current"* ]]; then COMPREPLY+=("${candidate#"$kept"}"); fi
  done
}

_culprit_reply_versions() {
  local version
  while IFS= read -r version; do
    # Whatever means something to the shell is left for the user to write.
    if [[ -n $version && $version != *[!A-Za-z0-9@:./_+=%-]* ]]; then _culprit_reply "$1" "$version"; fi
  done <<<"$(culprit solvers list --names 2>/dev/null </dev/null)"
}

_culprit() {
  local IFS=$' \t\n' rest=${COMP_LINE:0:COMP_POINT} words=() word blanks at
  COMPREPLY=()

  # What bash took apart at : @ and = is put together again, up to the cursor.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    blanks=${rest%%[![:space:]]*}
    rest=${rest#"$blanks"}
    word=${COMP_WORDS[at]}
    if [[ $rest != "$word"* ]]; then word=$rest; fi
    rest=${rest#"$word"}
    if ((at > 0)) && [[ -z $blanks ]]; then words[${#words[@]} - 1]+=$word; else words+=("$word"); fi
  done
  local current=${words[${#words[@]} - 1]} kept=''
  unset "words[$((${#words[@]} - 1))]"
  case $current in
  [\'\"]*) current=${current#?} ;;
  *) kept=${current%"${current##*["$COMP_WORDBREAKS"]}"} ;;
  esac
  # An @ belongs to what comes after it: hosts begin with one.
  kept=${kept%@}

  local command='' commands=() options=() last='' kind='' choices=() follow=''
  at=1
  _culprit_known ''
  while ((at < ${#words[@]})) && [[ " ${commands[*]} " == *" ${words[at]} "* ]]; do
    command=${command:+$command }${words[at]}
    _culprit_known "$command"
    at=$((at + 1))
  done

  # Which option waits for a value at the cursor, and how many arguments stand before it.
  local option='' seen=0 plain=''
  for (( ; at < ${#words[@]}; at++)); do
    word=${words[at]}
    if [[ -n $option && ($follow == one || $word != -*) ]]; then
      if [[ $follow != many ]]; then option=; fi
    elif [[ -n $plain || $word != -?* ]]; then
      option='' seen=$((seen + 1))
    elif [[ $word == -- ]]; then
      option='' plain=1
    else
      option=
      _culprit_takes "${command:+$command }$word"
      if [[ -n $kind ]]; then option=$word; fi
    fi
  done

  local before='' value
  if [[ -n $option && ($follow == one || $current != -*) ]]; then
    _culprit_takes "${command:+$command }$option"
  elif [[ -z $plain && $current == --*=* ]]; then
    before=${current%%=*}=
    _culprit_takes "${command:+$command }${current%%=*}"
  elif [[ -z $plain && $current == -* ]]; then
    kind=choices choices=("${options[@]}")
  elif ((${#commands[@]} > 0 && seen == 0)); then
    kind=choices choices=("${commands[@]}")
  else
    if [[ -n $last && $seen -gt $last ]]; then seen=$last; fi
    _culprit_takes "${command:+$command }:$seen"
    if [[ -z $plain && -z $current && ( -z $kind || $kind == nothing ) ]]; then
      kind=choices choices=("${options[@]}")
    fi
  fi

  # Files are for readline, which knows how to quote them. It offers them when there is nothing else.
  case $kind in
  files) ;;
  folders) compopt +o default -o dirnames 2>/dev/null ;;
  version) _culprit_reply_versions "$before" ;;
  versions)
    value=${current#"$before"}
    _culprit_reply_versions "$before${value%"${value##*,}"}"
    ;;
  *)
    _culprit_reply "$before" "${choices[@]}"
    compopt +o default 2>/dev/null
    ;;
  esac
}

complete -o default -F _culprit culprit
