; A greeting that must contain a name and end in the same letter it starts with.
(set-logic QF_SLIA)
(declare-const text String)
(declare-const who String)
(assert (= text (str.++ "hello " who "!")))
(assert (str.in_re who (re.+ (re.range "a" "z"))))
(assert (= (str.at who 0) (str.at who (- (str.len who) 1))))
(assert (> (str.len who) 2))
(check-sat)
