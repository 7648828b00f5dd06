# Does not know a sort and answers the rest.
echo '(error "unknown sort Foo")'
echo sat
