# Prints its arguments in an error message.
printf '(error "'
printf '%s|' "$@"
printf '")\n'
