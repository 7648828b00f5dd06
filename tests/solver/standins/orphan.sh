# Answers and leaves a child that holds its output open.
sleep 1000 &
echo unsat
