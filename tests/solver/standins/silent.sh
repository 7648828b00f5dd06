# Fails without a word.
exit 3
