import { evaluate } from './evaluate.js';
import type { Observer } from './watch.js';
import type { Z3Module } from './z3-module.js';

/**
 * One formula for each large part of Z3. The first use of a part builds its tables, starts its threads (a timer for
 * linear arithmetic) and touches its memory.
 */
const formulas: readonly string[] = [
  `(set-logic QF_S) (declare-const x String) (declare-const y String)
   (assert (= (str.++ x "ab" y) "ccabd")) (assert (> (str.len x) 1)) (check-sat)`,
  `(declare-const s String) (declare-const n Int)
   (assert (str.in_re s (re.+ (re.union (str.to_re "ab") (re.range "c" "e")))))
   (assert (= (str.len s) 5)) (assert (= n (str.indexof s "c" 0))) (check-sat)`,
  `(declare-const s String) (declare-const t String)
   (assert (= t (str.replace s "a" "bc"))) (assert (str.prefixof "b" t)) (assert (not (= (str.at t 1) "d")))
   (assert (= (str.to_int (str.substr s 1 2)) 42)) (check-sat)`,
  `(declare-const a Int) (declare-const b Int) (declare-const r Real)
   (assert (and (> a b) (< (+ a b) 10) (> (* 2 b) 3) (= (mod a 3) 1))) (assert (< (* 2.5 r) (to_real a)))
   (check-sat)`,
  `(set-logic QF_LIA) (declare-const a Int) (declare-const b Int)
   (assert (or (= (+ (* 3 a) (* 5 b)) 47) (= a (* 7 b)))) (assert (and (> a 0) (> b 0))) (check-sat)`,
  `(declare-const x Real) (declare-const y Real)
   (assert (= (+ (* x x) (* y y)) 2.0)) (assert (> (* x y) 0.5)) (check-sat)`,
  `(declare-const p (_ BitVec 8)) (declare-const q (_ BitVec 8))
   (assert (= (bvmul p q) #x21)) (assert (bvugt p #x05)) (check-sat)`,
  `(declare-const m (Array Int Int)) (declare-const i Int) (declare-const j Int)
   (assert (not (= (select (store (store m i 3) j 4) i) 3))) (check-sat)`,
  `(declare-fun f (Int) Int)
   (assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x))))) (assert (< (f 3) 3)) (check-sat)`,
  `(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List))))) (declare-const l List)
   (assert (and ((_ is cons) l) (> (head l) 3))) (push 1) (assert (= l nil)) (check-sat) (pop 1) (check-sat)`,
];

/**
 * The first warm-up of a process also warms state that survives reloads. After an uninterruptible formula there is no
 * warm-up: that happens in searches, which measure their findings again.
 */
export const warmUpRounds = { first: 2, afterReload: 1, afterInterruptFailure: 0 } as const;

const unobserved: Observer = { started: () => {}, unresponsive: () => {}, onInterrupt: () => {} };

export async function warmUp(z3: Z3Module, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const text of formulas) {
      await evaluate(
        z3,
        { text, parameters: {}, work: false, limits: { wallMs: 10_000 } },
        unobserved,
        () => {},
      );
    }
  }
}
