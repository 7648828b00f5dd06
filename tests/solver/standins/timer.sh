# Gives up after the milliseconds its last word of the form -t:N says, as Z3 does, and prints statistics.
cat >/dev/null
for word in "$@"; do
  case $word in -t:*) limit=${word#-t:} ;; esac
done
sleep "$(awk "BEGIN { print $limit / 1000 }")"
echo unknown
echo '(:decisions 900 :seq-branch 27974'
echo ' :seq-add-axiom 51)'
