import type { Allowed } from './family.js';
import { wordSet } from './word-list.js';

/**
 * Options and commands that a formula may use with CVC4 and cvc5, collected from their lists of options
 * (src/options/*.toml) in CVC4 1.6 to 1.8 and cvc5 0.0.0 to 1.3.4. Both compare names exactly.
 */

const both = wordSet(`
  abstract-values ackermann ag-miniscope-quant approx-branch-depth arith-brab arith-no-partial-fun
  arith-prop arith-prop-clauses arith-rewrite-equalities arrays-eager-index arrays-eager-lemmas
  arrays-optimize-linear arrays-prop arrays-reduce-sharing arrays-weak-equiv assign-function-values
  bitblast bitblast-aig bitwise-eq block-models bool-to-bv bv-abstraction bv-algebraic-budget
  bv-algebraic-solver bv-eager-explanations bv-eq-solver bv-extract-arith bv-gauss-elim
  bv-inequality-solver bv-intro-pow2 bv-num-func bv-print-consts-as-indexed-symbols bv-propagate
  bv-quick-xplain bv-sat-solver bv-skolemize bv-to-bool cbqi cdt-bisimilar cegis-sample cegqi cegqi-all
  cegqi-bv cegqi-bv-concat-inv cegqi-bv-ineq cegqi-bv-interleave-value cegqi-bv-linear cegqi-bv-rm-extract
  cegqi-bv-solve-nl cegqi-full cegqi-innermost cegqi-midpoint cegqi-min-bounds cegqi-model
  cegqi-multi-inst cegqi-nested-qe cegqi-nopt cegqi-repeat-lit cegqi-round-up-lia cegqi-sat
  cegqi-use-inf-int cegqi-use-inf-real check-abducts check-models check-proofs check-synth-sol
  check-unsat-cores collect-pivot-stats cond-var-split-agg-quant cond-var-split-quant
  condense-function-values conjecture-filter-active-terms conjecture-filter-canonical
  conjecture-filter-model conjecture-gen conjecture-gen-gt-enum conjecture-gen-max-depth
  conjecture-gen-per-round conjecture-gen-uee-intro conjecture-no-filter cut-all-bounded dag-thresh
  debug-check-models decision decision-mode decision-random-weight decision-threshold decision-use-weight
  decision-weight-internal dio-decomps dio-solver dio-turns dt-binary-split dt-blast-splits dt-cyclic
  dt-force-assignment dt-infer-as-lemmas dt-nested-rec dt-rewrite-error-sel dt-share-sel dt-stc-ind
  dt-var-exp-quant dump-instantiations dump-models dump-proofs dump-unsat-cores e-matching early-exit
  elim-taut-quant error-selection-rule expand-definitions expr-depth ext-rew-prep ext-rew-prep-agg
  ext-rewrite-quant fc-penalties finite-model-find flatten-ho-chains fmf-bound fmf-bound-int
  fmf-bound-lazy fmf-fmc-simple fmf-fresh-dc fmf-fun fmf-fun-rlv fmf-inst-engine
  fmf-type-completion-thresh force-no-limit-cpu-while-dump fp-exp fs-interleave fs-stratify
  full-saturate-quant full-saturate-quant-limit full-saturate-quant-rd global-declarations global-negate
  heuristic-pivots ho-elim ho-elim-store-ax ho-matching ho-matching-var-priority ho-merge-term-db
  increment-triggers incremental inst-level-input-only inst-max-level inst-no-entail inst-when
  inst-when-phase inst-when-strict-interleave inst-when-tc-first int-wf-ind interactive-mode
  ite-dtt-split-quant ite-lift-quant ite-simp lemmas-on-replay-failure literal-matching macros-quant
  macros-quant-mode maxCutsInContext mbqi mbqi-interleave mbqi-one-inst-per-round minisat-elimination
  miniscope-quant miniscope-quant-fv miplib-trick miplib-trick-subs model-cores model-witness-value
  multi-trigger-cache multi-trigger-linear multi-trigger-priority multi-trigger-when-single new-prop
  nl-ext nl-ext-ent-conf nl-ext-factor nl-ext-inc-prec nl-ext-purify nl-ext-rbound nl-ext-rewrite
  nl-ext-split-zero nl-ext-tf-taylor-deg nl-ext-tf-tplanes nl-ext-tplanes nl-ext-tplanes-interleave
  on-repeat-ite-simp parse-only partial-triggers pb-rewrites pivot-threshold pp-assert-max-sub-size
  pre-skolem-quant pre-skolem-quant-agg pre-skolem-quant-nested prenex-quant prenex-quant-user
  preprocess-only print-success produce-abducts produce-assertions produce-assignments produce-models
  produce-proofs produce-unsat-assumptions produce-unsat-cores prop-row-length purify-triggers
  qcf-all-conflict qcf-eager-check-rd qcf-eager-test qcf-nested-conflict qcf-skip-rd qcf-tconstraint
  qcf-vo-exp quant-alpha-equiv quant-cf quant-cf-mode quant-cf-when quant-dsplit-mode quant-fun-wd
  quant-ind quant-rep-mode quant-split random-freq random-frequency random-seed re-elim re-elim-agg
  re-inter-mode refine-conflicts register-quant-body-terms relational-triggers relevant-triggers
  repeat-simp replay-early-close-depth replay-lemma-reject-cut replay-num-err-penalty replay-reject-cut
  reproducible-resource-limit restart-int-base restart-int-inc restrict-pivots
  revert-arith-models-on-unsat rlimit rlimit-per rr-turns se-solve-int seed semantic-checks sep-check-neg
  sep-child-refine sep-deq-c sep-min-refine sep-pre-skolem-emp sets-ext sets-infer-as-lemmas
  sets-proxy-lemmas simp-ite-compress simp-ite-hunt-zombies simp-with-care simplex-check-period
  simplification simplification-mode soi-qe solve-bv-as-int solve-int-as-bv solve-real-as-int
  sort-inference standard-effort-variable-order-pivots static-learning stats stats-every-query
  strict-parsing strings-check-entail-len strings-eager strings-eager-len strings-exp strings-ff
  strings-fmf strings-guess-model strings-infer-as-lemmas strings-infer-sym strings-lazy-pp
  strings-len-norm strings-min-prefix-explain strings-process-loop-mode strings-rexplain-lemmas sygus
  sygus-abort-size sygus-active-gen sygus-active-gen-cfactor sygus-add-const-grammar sygus-arg-relevant
  sygus-auto-unfold sygus-bool-ite-return-const sygus-core-connective sygus-crepair-abort sygus-eval-opt
  sygus-eval-unfold sygus-eval-unfold-bool sygus-expr-miner-check-timeout sygus-ext-rew sygus-fair
  sygus-fair-max sygus-filter-sol sygus-filter-sol-rev sygus-grammar-cons sygus-grammar-norm
  sygus-inference sygus-inst sygus-inv-templ sygus-inv-templ-when-sg sygus-min-grammar sygus-out sygus-pbe
  sygus-pbe-multi-fair sygus-pbe-multi-fair-diff sygus-qe-preproc sygus-query-gen sygus-query-gen-check
  sygus-query-gen-thresh sygus-rec-fun sygus-rec-fun-eval-limit sygus-repair-const
  sygus-repair-const-timeout sygus-rr sygus-rr-synth sygus-rr-synth-accel sygus-rr-synth-check
  sygus-rr-synth-filter-cong sygus-rr-synth-filter-match sygus-rr-synth-filter-nl
  sygus-rr-synth-filter-order sygus-rr-synth-input sygus-rr-synth-input-nvars
  sygus-rr-synth-input-use-bool sygus-rr-synth-rec sygus-rr-verify sygus-rr-verify-abort
  sygus-sample-fp-uniform sygus-sample-grammar sygus-samples sygus-si sygus-si-abort sygus-si-rcons
  sygus-si-rcons-limit sygus-stream sygus-sym-break sygus-sym-break-agg sygus-sym-break-dynamic
  sygus-sym-break-lazy sygus-sym-break-pbe sygus-sym-break-rlv sygus-templ-embed-grammar
  sygus-unif-cond-independent-no-repeat-sol sygus-unif-pi sygus-unif-shuffle-cond symmetry-breaker
  term-db-mode theoryof-mode tlimit tlimit-per trigger-active-sel trigger-sel type-checking uf-ho
  uf-ho-ext uf-ss uf-ss-abort-card uf-ss-fair uf-ss-fair-monotone uf-symmetry-breaker unate-lemmas
  unconstrained-simp use-approx use-fcsimplex use-soi user-pat var-elim-quant var-ineq-elim-quant
  verbosity
`);

const onlyCvc4 = wordSet(`
  aggressive-core-min allow-empty-dependencies arrays-config arrays-lazy-rintro1 arrays-model-based
  bitblast-step bv-alg-extf bv-div-zero-const bv-eager-assert-step bv-eq-slicer bv-lazy-reduce-extf
  bv-lazy-rewrite-extf bv-optimize-sat-proof bv-print-consts-in-binary bv-proof-format bv-propagation-step
  bv-sat-conflict-step cbqi-all cbqi-bv cbqi-bv-concat-inv cbqi-bv-ineq cbqi-bv-interleave-value
  cbqi-bv-linear cbqi-bv-rm-extract cbqi-bv-solve-nl cbqi-full cbqi-innermost cbqi-lit-dep cbqi-midpoint
  cbqi-min-bounds cbqi-model cbqi-multi-inst cbqi-nested-qe cbqi-nopt cbqi-prereg-inst cbqi-recurse
  cbqi-repeat-lit cbqi-round-up-lia cbqi-sat cbqi-use-inf-int cbqi-use-inf-real cegqi-prereg-inst cegqi-si
  cegqi-si-abort cegqi-si-partial cegqi-si-rcons cegqi-si-rcons-limit cegqi-si-reconstruct
  cegqi-si-reconstruct-const cegqi-si-sol-min-core cegqi-si-sol-min-inst cnf-step cond-rewrite-quant
  continued-execution cpu-time dag-threshold decision-step default-dag-thresh default-expr-depth
  dio-repeat dt-ref-sk-intro dt-use-testers dump-synth dump-unsat-cores-full eager-type-checking
  elim-ext-arith-quant fewer-preprocessing-holes filter-lemma-length fmf-bound-min-mode fmf-empty-sorts
  fmf-inst-gen fmf-inst-gen-one-quant-per-round hard-limit hide-zero-stats idl-rewrite-equalities
  infer-arith-trigger-eq infer-arith-trigger-eq-exp inst-format inst-no-model-true inst-prop lemma-step
  lfsc-letification local-t-ext lte-partial-inst lte-restrict-inst-closure mbqi-one-quant-per-round
  min-synth-sol model-format model-u-dt-enum no-checking no-simplification no-statistics
  no-statistics-every-query no-type-checking omit-dont-cares parse-step preprocess-step print-expr-types
  proof pure-th-triggers purify-dt-triggers quant-anti-skolem quant-epr quant-epr-match quant-model-ee
  quantifier-step replay-failure-penalty replay-soi-major-threshold replay-soi-major-threshold-pen
  replay-soi-minor-threshold replay-soi-minor-threshold-pen restart-step rewrite-apply-to-const
  rewrite-divk rewrite-rules rewrite-step rr-one-inst-per-round sat-conflict-step sep-exp sets-rel-eager
  smtlib-strict snorm-infer-eq statistics statistics-every-query stats-hide-zeros stats-show-zeros
  strict-triggers strings-abort-loop strings-binary-csp strings-eit strings-inm strings-lb
  strings-len-geqz strings-lprop-csp strings-opt1 strings-opt2 strings-print-ascii strings-process-loop
  strings-sp-emp strings-uf-reduct sygus-abduct sygus-eval-builtin sygus-expr-miner-check-use-export
  sygus-opt1 sygus-print-callbacks sygus-ref-eval sygus-si-partial sygus-si-reconstruct-const sygus-unif
  sygus-unif-boolean-heuristic-dt sygus-unif-cond-independent sygus-verify-subcall symmetry-breaker-exp
  tear-down-incremental theory-check-step track-inst-lemmas uf-ss-clique-splits uf-ss-eager-split
  uf-ss-regions uf-ss-totality uf-ss-totality-limited uf-ss-totality-sym-break
`);

const onlyCvc5 = wordSet(`
  alf-print-reference append-learned-literals-to-cubes arith-cong-man arith-eq-solver arith-exp
  arith-static-learning arrays-exp bags bv-abstraction-size bv-abstraction-value-limiter bv-assert-input
  bv-eager-eval bv-eq-engine bv-rw-extend-eq bv-solver bv-to-int-use-pow2 bvand-integer-granularity
  cbqi-all-conflict cbqi-eager-check-rd cbqi-eager-test cbqi-mode cbqi-skip-rd cbqi-tconstraint
  cbqi-vo-exp cegqi-inf-int cegqi-inf-real check check-interpolants check-interpols check-model-subsolver
  check-proof-steps check-proofs-complete checks-before-partition checks-between-partitions
  compute-partitions conflict-process cons-exp-triggers datatypes-exp deep-restart deep-restart-factor
  default-function-value-mode difficulty-mode distinct-elim-threshold drat-binary-format
  dt-polite-optimize dump-difficulty dump-instantiations-debug dump-unsat-cores-lemmas eager-arith-bv-conv
  early-ite-removal ee-mode enum-inst enum-inst-interleave enum-inst-limit enum-inst-rd enum-inst-stratify
  enum-inst-sum ff ff-bitsum ff-disjunctive-bit ff-elim-disjunctive-bit ff-field-polys ff-incrementality
  ff-solver ff-trace-gb flex-parser fmf-bound-blast fmf-mbqi foreign-theory-rewrite fp fp-lazy-wb
  fresh-binders fresh-declarations fs-sum full-sygus-verify iand-mode ieval inst-local inst-max-rounds
  interpolants-mode jh-rlv-order jh-skolem jh-skolem-rlv learned-rewrite leibniz-elim lemma-inprocess
  lemma-inprocess-infer-eq-lit lemma-inprocess-subs lfsc-expand-trust lfsc-flatten mbqi-check-timeout
  mbqi-enum mbqi-enum-choice-grammar mbqi-enum-choice-grammar-all mbqi-enum-ext-vars-grammar
  mbqi-enum-free-syms-grammar mbqi-enum-global-syms-grammar mbqi-fast-sygus mbqi-nested-check
  minimal-unsat-cores minisat-simplification miniscope-quant-user model-based-arith-bv-conv model-u-print
  model-uninterp-print model-var-elim-uneval nl-cad nl-cad-initial nl-cad-lift nl-cad-linear-model
  nl-cad-proj nl-cad-prune nl-cad-var-elim nl-cov nl-cov-force nl-cov-lift nl-cov-linear-model nl-cov-proj
  nl-cov-prune nl-cov-var-elim nl-ext-flatten-mon nl-ext-initial-sign-lemmas nl-icp nl-rlv
  nl-rlv-assert-bounds opt-res-reconstruction-size output-print-defs parse-skolem-definitions parsing-mode
  partition partition-check partition-conflict-size partition-start-time partition-strategy
  partition-time-interval partition-tlimit partition-when pool-inst preregister-mode print-arith-lit-token
  print-cores-full print-dot-clusters print-inst print-inst-full print-skolem-definitions
  print-unsat-cores-full produce-difficulty produce-interpolants produce-interpols
  produce-learned-literals proof-alethe-define-skolems proof-alethe-experimental proof-alethe-res-pivots
  proof-alethe-testing proof-allow-trust proof-annotate proof-chain-m-res proof-check proof-dag-global
  proof-dot-dag proof-elim-subtypes proof-format-mode proof-granularity proof-mode proof-pedantic
  proof-pp-merge proof-pre-simp-lookahead proof-print-conclusion proof-print-reference proof-prune-input
  proof-rewrite-rcons-limit proof-rewrite-rcons-rec-limit proof-rewrite-rcons-step-limit prop-proof-mode
  quant-dsplit random-partitioning re-first-class relevance-filter rels-exp rweight safe-mode safe-options
  sat-random-seed sat-solver sep seq-array sets-card-exp sets-exp simplification-bcp stats-all
  stats-expert stats-internal stdin-input-per-line strings-alpha-card strings-code-elim strings-deq-ext
  strings-eager-eval strings-eager-len-re strings-eager-reg strings-eager-solver strings-mbr
  strings-model-max-len strings-re-derive-conf strings-re-posc-eager strings-rec-arith-approx
  strings-regexp-inclusion strings-unified-vspt sub-cbqi sub-cbqi-timeout sygus-active-gen-random-p
  sygus-enum sygus-enum-fast-num-consts sygus-enum-random-p sygus-grammar-ho-partial
  sygus-grammar-use-disj sygus-inst-mode sygus-inst-scope sygus-inst-term-sel
  sygus-query-gen-filter-solved sygus-rec-fun-infer sygus-rewriter sygus-si-rcons-p sygus-simple-sym-break
  sygus-verify-inst-max-rounds sygus-verify-timeout tc-mode term-db-cd term-sort-overload
  timeout-core-timeout tptp-model-verification tptp-models uf-card-exp uf-ho-exp uf-lambda-qe uf-lazy-ll
  unsat-cores-mode user-pool var-ent-eq-elim-quant wf-checking
`);

/** Excludes `include`, which reads files, and `declare-oracle-fun`, which runs a program. */
const commands = wordSet(`
  assume block-model block-model-values check-synth check-synth-next constraint declare-codatatype
  declare-codatatypes declare-heap declare-pool declare-primed-var declare-var find-synth find-synth-next
  get-abduct get-abduct-next get-difficulty get-interpol get-interpol-next get-interpolant
  get-interpolant-next get-learned-literals get-model-domain-elements get-qe get-qe-disjunct
  get-timeout-core get-timeout-core-assuming get-unsat-core-lemmas inv-constraint set-feature simplify
  synth-fun synth-inv
`);

const allowedIn = (only: ReadonlySet<string>): Allowed => ({
  commands,
  hasOption: (name) => both.has(name) || only.has(name),
  takesOptionsInCommands: false,
});

export const allowedInCvc4 = allowedIn(onlyCvc4);
export const allowedInCvc5 = allowedIn(onlyCvc5);
