# Leaves a process in another session, with another parent and an empty environment, then answers; $1 identifies it.
(env -i setsid sh -c "exec sleep $1" </dev/null >/dev/null 2>&1 &)
echo sat
