# Answers, then crashes.
echo sat
kill -SEGV $$
