# Reads commands line by line, like z3 -in, and misbehaves as the names of constants say; stays mute if $2 is mute.
echo "$$" >>"$1"
[ "$2" = mute ] && exit 0
while read -r line; do
  case $line in
  '(echo "'*)
    word=${line#'(echo "'}
    echo "${word%'")'}"
    ;;
  *crash*) kill -9 $$ ;;
  *leave*) exit 0 ;;
  *hang*) while :; do :; done ;;
  *daemon*) sleep 600 & ;;
  *flood*) while :; do echo flood; done ;;
  *complain*) echo '(error "line 1 column 1: something is wrong")' ;;
  '(check-sat)'*) echo sat ;;
  esac
done
