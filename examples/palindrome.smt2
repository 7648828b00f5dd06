; A word of odd length is not the same text twice (unsat).
(set-logic QF_SLIA)
(declare-const w String)
(declare-const half String)
(assert (= w (str.++ half half)))
(assert (= (str.len w) 7))
(check-sat)
