; The later of two stores at one index wins (unsat).
(set-logic QF_AUFLIA)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (= i j))
(assert (not (= (select (store (store a i 1) j 2) i) 2)))
(check-sat)
