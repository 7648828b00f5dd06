/**
 * Evaluated before a host takes work, so that no run pays for the first use of what every run uses: V8 compiles WASM
 * quickly and badly first and recompiles what is called often.
 */
export const warmUp: readonly string[] = [
  '(declare-const x String)(declare-const y String)(assert (= (str.++ x "ab" y) "ccabd"))' +
    '(assert (> (str.len x) 1))(check-sat)',
  '(declare-const a Int)(declare-const b Int)(assert (and (> a b) (< (+ a b) 10) (> (* 2 b) 3)))(check-sat)',
  '(declare-const s String)(assert (str.in_re s (re.+ (re.union (str.to_re "ab") (str.to_re "c")))))' +
    '(assert (= (str.len s) 7))(check-sat)',
  '(declare-const p (_ BitVec 8))(declare-const q (_ BitVec 8))(assert (= (bvmul p q) #x21))' +
    '(assert (bvugt p #x05))(check-sat)',
  '(declare-const m (Array Int Int))(declare-const i Int)' +
    '(assert (not (= (select (store m i 3) i) 3)))(check-sat)',
  '(declare-const t String)(declare-const n Int)(assert (= (str.indexof t "b" n) 2))' +
    '(assert (str.contains (str.replace t "b" "cc") "acc"))(assert (< n 1))(check-sat)',
];

/** Rounds after which times of small formulas hardly fall any further; see `npm run bench -- embedded-rate`. */
export const warmUpRounds = 4;
