# Complains and answers all the same.
echo '(error "line 1 column 2: the moon is full")'
echo sat
exit 1
