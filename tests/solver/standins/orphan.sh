# Answers and leaves a child behind that holds its output open.
sleep 1000 &
echo unsat
