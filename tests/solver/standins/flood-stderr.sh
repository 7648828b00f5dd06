# Answers, then floods standard error.
echo sat
exec yes nonsense >&2
