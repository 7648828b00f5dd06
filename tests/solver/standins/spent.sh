# Gives up at its limit of effort.
cat >/dev/null
echo unknown
echo '(:rlimit-count 20019)'
