# Prints each argument as a line of its error message.
printf '(error "'
printf '%s|' "$@"
printf '")\n'
