; A number and its decimal form.
(set-logic QF_SLIA)
(declare-const n Int)
(declare-const s String)
(assert (= s (str.from_int n)))
(assert (str.prefixof "12" s))
(assert (= (mod n 7) 3))
(assert (< n 10000))
(check-sat)
