# Exits with an answer, but leaves a daemon in another session, with another parent and no open output.
(setsid sh -c 'sleep 1000 & exec sleep 1000' </dev/null >/dev/null 2>&1 &)
echo sat
