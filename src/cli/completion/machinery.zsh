# The part of the completion for zsh that is the same whatever commands there are.

# Whether the last option before the cursor is this one, and the cursor is not on the next.
__culprit_after() {
  local -a before
  before=(${(M)words[1,CURRENT - 1]:#-*})
  [[ $before[-1] == "$1" && $PREFIX != -* ]]
}

__culprit_version() {
  local -a versions expl
  # A program is a version, too.
  if [[ $PREFIX == (.|)(.|)/* || $PREFIX == \~* ]]; then
    _files
    return
  fi
  versions=(${(f)"$(_call_program versions culprit solvers list --names 2>/dev/null)"})
  _wanted versions expl version compadd "$@" -a versions
}

__culprit_versions() {
  _sequence -s , __culprit_version
}

# Autoloaded, this file is what _culprit does when it is first called; read by source, it is only made known.
if [[ $funcstack[1] == _culprit ]]; then
  _culprit "$@"
elif (( $+functions[compdef] )); then
  compdef _culprit culprit
fi
