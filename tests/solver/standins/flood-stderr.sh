# Answers, and never stops complaining.
echo sat
exec yes nonsense >&2
