# Answers twice.
echo sat
echo unsat
