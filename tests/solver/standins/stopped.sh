# Stops itself.
kill -STOP $$
echo sat
