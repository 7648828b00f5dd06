# Prints the content of its directory and the names of its variables in an error message.
printf '(error "%s; %s")\n' "$(ls -A)" "$(env | sed 's/=.*//' | sort | tr '\n' ' ')"
