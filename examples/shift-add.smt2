; Multiplying by ten with shifts and an addition.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(assert (not (= (bvmul x #x000a) (bvadd (bvshl x #x0003) (bvshl x #x0001)))))
(check-sat)
