# Answers and leaves a daemon behind: another session, another parent, no open output.
(setsid sh -c 'sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &)
echo sat
