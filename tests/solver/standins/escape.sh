# Leaves a process behind that has another session, another parent and no environment, then answers; $1 tells it apart.
(env -i setsid sh -c "exec sleep $1" </dev/null >/dev/null 2>&1 &)
echo sat
