# Floods standard output with answers.
exec yes sat
