# Says sat in strings and models only; the answer is unsat.
echo '"sat'
echo 'sat"'
echo '((define-fun |'
echo 'sat'
echo '| () String "'
echo 'sat'
echo '"))'
echo unsat
