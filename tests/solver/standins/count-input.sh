# Answers sat to more than five million characters, else unsat.
if [ "$(wc -c)" -gt 5000000 ]; then echo sat; else echo unsat; fi
