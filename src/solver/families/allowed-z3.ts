import type { Allowed } from './family.js';
import { wordList, wordSet } from './word-list.js';

/**
 * Options and commands that a formula may use with Z3, collected from the parameters of all releases from 4.1.1 to
 * 5.1.0 (of modules, tactics and commands) and from the output of `z3 -p` and `(help-tactic)`.
 *
 * Excluded are parameters that name a file or make Z3 write one: `drat.file`, `inprocess.out`, `smt.proof`,
 * `proof.log`, `smtlib2_log`, `cancel_backup_file`, `trace`, `dot_proof_file`, `solution_prefix`, `print_aig`,
 * `spacer.print_json`, `spacer.trace_file`, `arith.nl.log`, `axioms2files`, and all names with dump except
 * `dump_models`, which prints. Also excluded are `use_map_names` and `known_sat_assignment_file_name`, which read a
 * file, `lemmas2console`, which floods the console, and `default_tactic`, whose value is a tactic with its own
 * parameters.
 */

/** Global parameters and parameters of tactics and commands, then the parameters of each module. */
const parameters = `
  add_bound_lower add_bound_upper aig_per_assertion arith.expand_eqs arith.process_all_eqs array.canonize
  array.simplify auto_config blast_add blast_full blast_mul blast_quant bound_max_refinements
  bound_threshold bv.bv2int_distribute bv.hi_div0 candidate_models cardinality.encoding
  cofactor_equalities common_patterns compile_equality complete context_solve ctrl_c debug_ref_count
  diff_neq_max_k distributivity distributivity_blowup dont_sub dump_models elim_and elim_inverses
  elim_root_objects eliminate_mod eliminate_variables_as_block encoding epsilon extrapolate_strategy
  factor fail_if_inconclusive fm_cutoff1 fm_cutoff2 fm_extra fm_limit fm_occ fm_real_only id ite_chaing
  ite_extra ite_solver keep_cardinality_constraints learned lia2pb_max_bits lia2pb_partial
  lia2pb_total_bits max_args max_bits max_bound max_coefficient max_conflicts max_depth max_inflation
  max_lemmas max_memory max_nodes max_prime max_rounds max_search_size max_steps memory_high_watermark
  memory_high_watermark_mb memory_max_alloc_count memory_max_size mkbv2num model model_compress
  model_index model_validate nla2bv_bv_size nla2bv_divisor nla2bv_max_bv_size nla2bv_root norm_int_only
  nth_root_precision num_primes numeral pb.solver pb2bv_all_clauses_limit pb2bv_cardinality_limit print
  print_benchmark print_dependencies print_model print_model_converter print_nodes print_proof
  print_proofs print_statistics print_unsat_core produce_models produce_proofs projection_mode proof
  propagate_eq qe_nonlinear recover_01_max_bits reduce_all_selects rlimit smtlib2_compliant
  solve_eqs_max_occs solver.enforce_model_conversion split_factors split_largest_clause stats
  strong_context_simplify strong_context_simplify_local suppress_platform_verbose theory_solver timeout
  type_check unicode unsat_core use_qel verbose warning weight well_sorted_check

  ackermannization:
  eager inc_sat_backend sat_backend

  algebraic:
  factor factor_max_prime factor_num_primes factor_search_size min_mag zero_accuracy

  combined_solver:
  ignore_solver1 solver2_timeout solver2_unknown

  fixedpoint:
  all_or_nothing_deltas batch_expand bfs_model_search bit_blast bmc.linear_unrolling_depth cache_mode
  coalesce_rules compile_with_widening datalog.all_or_nothing_deltas datalog.check_relation
  datalog.compile_with_widening datalog.dbg_fpr_nonempty_relation_signature datalog.default_relation
  datalog.default_table datalog.default_table_checked datalog.default_table_checker
  datalog.explanations_on_relation_level datalog.generate_explanations datalog.initial_restart_timeout
  datalog.magic_sets_for_queries datalog.output_profile datalog.print.tuples
  datalog.profile_timeout_milliseconds datalog.similarity_compressor
  datalog.similarity_compressor_threshold datalog.subsumption datalog.unbound_compressor
  dbg_fpr_nonempty_relation_signature default_relation default_table default_table_checked
  default_table_checker duality.batch_expand duality.enable_restarts duality.feasible_edges
  duality.full_expand duality.mbqi duality.no_conj duality.profile duality.recursion_bound
  duality.stratified_inlining duality.use_underapprox eager_emptiness_checking enable_restarts engine
  explanations_on_relation_level feasible_edges fix_unbound_vars flexible_trace full_expand
  generate_explanations generate_proof_trace inductive_reachability_check initial_restart_timeout
  inline_eager inline_linear inline_linear_branch instantiate_quantifiers karr magic
  magic_sets_for_queries max_num_contexts mbqi no_conj output_profile output_tuples pdr.bfs_model_search
  pdr.cache_mode pdr.farkas pdr.flexible_trace pdr.flexible_trace_depth pdr.inductive_reachability_check
  pdr.max_num_contexts pdr.simplify_formulas_post pdr.simplify_formulas_pre pdr.try_minimize_core
  pdr.use_arith_inductive_generalizer pdr.use_convex_closure_generalizer
  pdr.use_convex_interior_generalizer pdr.use_inductive_generalizer pdr.use_model_generalizer
  pdr.use_multicore_generalizer pdr.utvpi pdr.validate_result print_answer print_boogie_certificate
  print_certificate print_fixedpoint_extensions print_low_level_smt2 print_statistics
  print_with_fixedpoint_extensions print_with_variable_declarations profile profile_timeout_milliseconds
  quantify_arrays recursion_bound scale similarity_compressor similarity_compressor_threshold
  simplify_formulas_post simplify_formulas_pre slice spacer.blast_term_ite spacer.eager_reach_check
  spacer.elim_aux spacer.eq_prop spacer.farkas_a_const spacer.farkas_optimized spacer.ground_cti
  spacer.init_reach_facts spacer.instantiate spacer.keep_proxy spacer.lemma_sanity_check spacer.max_level
  spacer.mbqi spacer.minimize_unsat_core spacer.native_mbp spacer.new_unsat_core spacer.nondet_tie_break
  spacer.order_children spacer.qlemmas spacer.random_seed spacer.reach_as_init spacer.reach_dnf
  spacer.reset_obligation_queue spacer.restart_initial_threshold spacer.restarts spacer.reuse_pobs
  spacer.simplify_pob spacer.skip_propagate spacer.split_farkas_literals spacer.use_array_eq_generalizer
  spacer.use_derivations spacer.use_eqclass spacer.use_lemma_as_cti spacer.vs.recheck spacer.weak_abs
  stratified_inlining tab.selection tab_selection timeout try_minimize_core unbound_compressor
  unfold_rules use_arith_inductive_generalizer use_convex_closure_generalizer
  use_convex_interior_generalizer use_farkas use_inductive_generalizer use_model_generalizer
  use_multicore_generalizer use_underapprox use_utvpi validate_result xform.array_blast
  xform.array_blast_full xform.bit_blast xform.coalesce_rules xform.coi xform.compress_unbound
  xform.fix_unbound_vars xform.inline_eager xform.inline_linear xform.inline_linear_branch
  xform.instantiate_arrays xform.instantiate_arrays.enforce xform.instantiate_arrays.nb_quantifier
  xform.instantiate_arrays.slice_technique xform.instantiate_quantifiers xform.karr xform.magic
  xform.quantify_arrays xform.scale xform.slice xform.subsumption_checker xform.tail_simplifier_pve
  xform.transform_arrays xform.unfold_rules

  fp:
  bmc.linear_unrolling_depth datalog.all_or_nothing_deltas datalog.check_relation
  datalog.compile_with_widening datalog.dbg_fpr_nonempty_relation_signature datalog.default_relation
  datalog.default_table datalog.default_table_checked datalog.default_table_checker
  datalog.explanations_on_relation_level datalog.generate_explanations datalog.initial_restart_timeout
  datalog.magic_sets_for_queries datalog.output_profile datalog.print.tuples
  datalog.profile_timeout_milliseconds datalog.similarity_compressor
  datalog.similarity_compressor_threshold datalog.subsumption datalog.timeout datalog.unbound_compressor
  engine generate_proof_trace print_answer print_boogie_certificate print_certificate
  print_fixedpoint_extensions print_low_level_smt2 print_statistics print_with_variable_declarations
  rlimit spacer.arith.solver spacer.blast_term_ite_inflation spacer.ctp spacer.elim_aux spacer.eq_prop
  spacer.expand_bnd spacer.gg.concretize spacer.gg.conjecture spacer.gg.subsume spacer.global spacer.gpdr
  spacer.gpdr.bfs spacer.ground_pobs spacer.iuc spacer.iuc.arith spacer.iuc.debug_proof
  spacer.iuc.old_hyp_reducer spacer.iuc.print_farkas_stats spacer.iuc.split_farkas_literals
  spacer.keep_proxy spacer.logic spacer.max_level spacer.max_num_contexts spacer.mbqi spacer.min_level
  spacer.native_mbp spacer.order_children spacer.p3.share_invariants spacer.p3.share_lemmas
  spacer.propagate spacer.push_pob spacer.push_pob_max_depth spacer.q3 spacer.q3.instantiate
  spacer.q3.qgen.normalize spacer.q3.use_qgen spacer.random_seed spacer.reach_dnf spacer.reset_pob_queue
  spacer.restart_initial_threshold spacer.restarts spacer.simplify_lemmas_post spacer.simplify_lemmas_pre
  spacer.simplify_pob spacer.use_array_eq_generalizer spacer.use_bg_invs spacer.use_derivations
  spacer.use_euf_gen spacer.use_inc_clause spacer.use_inductive_generalizer spacer.use_iuc
  spacer.use_lemma_as_cti spacer.use_lim_num_gen spacer.validate_lemmas spacer.weak_abs tab.selection
  validate xform.array_blast xform.array_blast_full xform.bit_blast xform.coalesce_rules xform.coi
  xform.compress_unbound xform.elim_term_ite xform.elim_term_ite.inflation xform.fix_unbound_vars
  xform.inline_eager xform.inline_linear xform.inline_linear_branch xform.instantiate_arrays
  xform.instantiate_arrays.enforce xform.instantiate_arrays.nb_quantifier
  xform.instantiate_arrays.slice_technique xform.instantiate_quantifiers xform.karr xform.magic
  xform.quantify_arrays xform.scale xform.slice xform.subsumption_checker xform.tail_simplifier_pve
  xform.transform_arrays xform.unfold_rules

  interp:
  check profile

  lp:
  bprop_on_pivoted_rows dio dio_branching_period dio_calls_period dio_calls_period_decrease
  dio_cuts_enable_gomory dio_cuts_enable_hnf dio_gomory_enable_period dio_ignore_big_nums dio_run_gcd
  dio_undo_max_work enable_hnf int_hammer_period int_patch_period lcube lcube_flips min print_stats
  random_hammers rep_freq simplex_strategy

  model:
  compact completion inline_def partial user_functions v1 v2

  model_evaluator:
  array_as_stores array_equalities cache completion max_memory max_steps

  nlsat:
  add_all_coeffs canonicalize cell_sample check_lemmas factor inline_vars lazy lws lws_spt_threshold
  lws_witness_subs_disc lws_witness_subs_lc max_conflicts max_memory minimize_conflicts randomize reorder
  seed shuffle_vars simple_check simplify_conflicts variable_ordering_strategy zero_disc

  nnf:
  ignore_labels max_memory mode sk_hack skolemize

  opt:
  dump_models elim_01 enable_core_rotate enable_lns enable_sat enable_sls incremental lns_conflicts
  maxlex.enable maxres.add_upper_bound_block maxres.hill_climb maxres.max_core_size
  maxres.max_correction_set_size maxres.max_num_cores maxres.maximize_assignment
  maxres.pivot_on_correction_set maxres.wmax maxsat_engine optsmt_engine pb.compile_equality pp.neat
  pp.wcnf print_model priority rc2.totalizer rlimit timeout

  parallel:
  ablate_backtracking conquer.backtrack_frequency conquer.batch_size conquer.delay conquer.restart.max
  core_minimize cube.lookahead enable num_bb_threads simplify.exp simplify.inprocess.max
  simplify.max_conflicts simplify.restart.max threads.max

  parser:
  error_for_visual_studio ignore_bad_patterns ignore_user_patterns

  pi:
  arith arith_weight avoid_skolems block_loop_patterns decompose_patterns enabled max_multi_patterns
  non_nested_arith_weight pull_quantifiers use_database warnings

  pp:
  bounded bv_literals bv_neg decimal decimal_precision fixed_indent flat_assoc fp_real_literals max_depth
  max_indent max_num_lines max_ribbon max_width min_alias_size no_lets pretty_proof simplify_implies
  single_line

  rcf:
  clean_denominators inf_precision initial_precision lazy_algebraic_normalization max_precision use_prem

  rewriter:
  algebraic_number_evaluator arith_ineq_lhs arith_lhs bit2bool blast_distinct blast_distinct_threshold
  blast_eq_value blast_select_store bv_extract_prop bv_ineq_consistency_test_max bv_ite2id bv_le2extract
  bv_le_extra bv_not_simpl bv_sort_ac bv_trailing bv_urem_simpl bvnot2arith cache_all coalesce_chars
  div0_ackermann_limit elim_and elim_ite elim_rem elim_sign_ext elim_to_real enable_der eq2ineq
  expand_nested_stores expand_power expand_select_ite expand_select_store expand_store_eq expand_tan flat
  flat_and_or gcd_rounding hi_div0 hi_fp_unspecified hoist_cmul hoist_ite hoist_mul
  ignore_patterns_on_ground_qbody ite_extra_rules local_ctx local_ctx_limit max_degree max_memory
  max_steps mul2concat mul_to_power pull_cheap_ite push_ite_arith push_ite_bv push_to_real
  rewrite_patterns som som_blowup sort_disjunctions sort_store sort_sums split_concat_eq udiv2mul
  unfold_recursive_functions

  sat:
  abce acce anf anf.delay anf.exlin asymm_branch asymm_branch.all asymm_branch.delay asymm_branch.limit
  asymm_branch.rounds asymm_branch.sampled ate backtrack.conflicts backtrack.scopes bca bcd bce bce_at
  bce_delay binspr blocked_clause_limit branching.anti_exploration branching.heuristic burst_search
  cardinality.encoding cardinality.solver cce core.minimize core.minimize_partial cut cut.aig cut.delay
  cut.dont_cares cut.force cut.lut cut.npn3 cut.redundancies cut.xor ddfw.init_clause_weight
  ddfw.reinit_base ddfw.restart_base ddfw.threads ddfw.use_reward_pct ddfw_search dimacs.core
  dimacs.display drat.activity drat.binary drat.check_sat drat.check_unsat drat.disable drup.trim
  dyn_sub_res elim_blocked_clauses elim_blocked_clauses_at elim_vars elim_vars_bdd elim_vars_bdd_delay
  enable_pre_simplify euf force_cleanup gc gc.burst gc.defrag gc.increment gc.initial gc.k gc.small_lbd
  inprocess.max local_search local_search_dbg_flips local_search_mode local_search_threads
  lookahead.cube.cutoff lookahead.cube.depth lookahead.cube.fraction lookahead.cube.freevars
  lookahead.cube.psat.clause_base lookahead.cube.psat.trigger lookahead.cube.psat.var_exp
  lookahead.delta_fraction lookahead.double lookahead.global_autarky lookahead.preselect lookahead.reward
  lookahead.use_learned lookahead_scores lookahead_simplify lookahead_simplify.bca max_conflicts
  max_memory minimize_core minimize_core_partial minimize_lemmas optimize_model override_incremental
  parallel_threads pb.lemma_format pb.min_arity pb.resolve pb.solver phase phase.caching.off
  phase.caching.on phase.sticky prob_search probing probing_binary probing_cache probing_cache_limit
  probing_limit propagate.prefetch random_freq random_seed reorder.activity_scale reorder.base
  reorder.itau rephase.base resolution resolution.cls_cutoff1 resolution.cls_cutoff2 resolution.limit
  resolution.lit_cutoff_range1 resolution.lit_cutoff_range2 resolution.lit_cutoff_range3
  resolution.occ_cutoff resolution.occ_cutoff_range1 resolution.occ_cutoff_range2
  resolution.occ_cutoff_range3 restart restart.emafastglue restart.emaslowglue restart.factor restart.fast
  restart.initial restart.margin restart.max retain_blocked_clauses scc scc.tr search.sat.conflicts
  search.unsat.conflicts simplify.delay smt smt.proof.check smt.proof.check_rup subsumption
  subsumption.limit threads unit_walk unit_walk_threads variable_decay xor.solver

  sls:
  arith_allow_plateau arith_use_clausal_lookahead arith_use_lookahead bv_allow_rotation bv_use_lookahead
  bv_use_top_level_assertions dt_axiomatic early_prune max_memory max_repairs max_restarts paws_init
  paws_sp plateau_limit random_offset random_seed rescore restart_base restart_init restarts scale_unsat
  str_update_strategy track_unsat vns_mc vns_repick walksat walksat_repick walksat_ucb
  walksat_ucb_constant walksat_ucb_forget walksat_ucb_init walksat_ucb_noise wp

  smt:
  arith.auto_config_simplex arith.bounded_expansion arith.bprop_on_pivoted_rows arith.branch_cut_ratio
  arith.cheap_eqs arith.eager_eq_axioms arith.enable_hnf arith.epsilon arith.euclidean_solver
  arith.greatest_error_pivot arith.ignore_int arith.int_eq_branch arith.lp.dio_branching_period
  arith.lp.dio_cuts_enable_gomory arith.lp.dio_cuts_enable_hnf arith.lp.dio_eqs arith.min arith.nl
  arith.nl.branching arith.nl.cross_nested arith.nl.delay arith.nl.expensive_patching arith.nl.expp
  arith.nl.gb arith.nl.gr_q arith.nl.grobner arith.nl.grobner_adaptive arith.nl.grobner_cnfl_to_report
  arith.nl.grobner_eqs_growth arith.nl.grobner_exp_delay arith.nl.grobner_expand_terms
  arith.nl.grobner_expr_degree_growth arith.nl.grobner_expr_size_growth arith.nl.grobner_frequency
  arith.nl.grobner_gcd_test arith.nl.grobner_max_simplified arith.nl.grobner_perfect_squares
  arith.nl.grobner_propagate_quotients arith.nl.grobner_row_length_limit arith.nl.grobner_subs_fixed
  arith.nl.horner arith.nl.horner_frequency arith.nl.horner_row_length_limit arith.nl.horner_subs_fixed
  arith.nl.linearize_violated_monomials arith.nl.monomial_binomial_sign arith.nl.monomial_sandwich
  arith.nl.monomial_sandwich.max_fanout arith.nl.nra arith.nl.nra_check_assignment
  arith.nl.nra_check_assignment_max_fail arith.nl.optimize_bounds arith.nl.optimize_bounds_lp_max_vars
  arith.nl.order arith.nl.order.binomial_sign arith.nl.propagate_fixed_rows
  arith.nl.propagate_linear_monomials arith.nl.reduce_pseudo_linear arith.nl.rounds arith.nl.tangents
  arith.nl.tangents.box_corners arith.print_ext_var_names arith.print_stats arith.propagate_eqs
  arith.propagation_mode arith.random_initial_value arith.reflect arith.rep_freq arith.simplex_strategy
  arith.solver arith.validate array.extensional array.weak auto_config bound_simplifier bv.delay
  bv.enable_int2bv bv.eq_axioms bv.reflect bv.size_reduce bv.solver bv.watch_diseq candidate_models
  case_split clause_proof core.extend_nonlocal_patterns core.extend_patterns
  core.extend_patterns.max_distance core.minimize core.validate cube_depth dack dack.eq dack.factor
  dack.gc dack.gc_inv_decay dack.threshold delay_units delay_units_threshold dt_lazy_splits
  elim_unconstrained ematching ho_matching ho_matching_bound induction lemma_gc_strategy logic
  macro_finder max_conflicts mbqi mbqi.force_template mbqi.id mbqi.max_cexs mbqi.max_cexs_incr
  mbqi.max_iterations pb.conflict_frequency pb.enable_compilation pb.enable_simplex pb.learn_complements
  phase_caching_off phase_caching_on phase_selection propagate_values pull_nested_quantifiers q.lift_ite
  q.lite qi.cost qi.eager_threshold qi.lazy_threshold qi.max_instances qi.max_multi_patterns qi.profile
  qi.profile_freq qi.quick_checker qsat_use_qel quasi_macros random_seed recfun.depth recfun.native
  refine_inj_axioms relevancy restart.max restart_factor restart_strategy restricted_quasi_macros rlimit
  seq.max_unfolding seq.min_unfolding seq.regex_budget seq.regex_factorization_enabled
  seq.regex_factorization_threshold seq.regex_monadic seq.regex_orientation seq.regex_split
  seq.regex_transition_mode seq.split_w_len seq.use_unicode seq.validate sls.enable sls.parallel
  soft_timeout solve_eqs solve_eqs.linear solve_eqs.non_ground str.aggressive_length_testing
  str.aggressive_unroll_testing str.aggressive_value_testing str.binary_search_start
  str.fast_length_tester_cache str.fast_value_tester_cache str.finite_overlap_models
  str.fixed_length_naive_cex str.fixed_length_refinement str.overlap_priority str.regex_automata
  str.regex_automata_difficulty_threshold str.regex_automata_failed_automaton_threshold
  str.regex_automata_failed_intersection_threshold str.regex_automata_intersection_difficulty_threshold
  str.regex_automata_length_attempt_threshold str.string_constant_cache str.strong_arrangements
  str.use_binary_search string_solver term_enumeration theory_aware_branching theory_case_split threads
  threads.cube_frequency threads.max_conflicts timeout up.persist_clauses

  smt_parallel:
  inprocessing sls

  solver:
  enforce_model_conversion proof.check proof.check_rup proof.save proof.trim slice timeout

  tactic:
  aig.per_assertion blast_term_ite.max_inflation blast_term_ite.max_steps fm.limit fm.occ fm.real_only
  lia2card.max_ite_nesting lia2card.max_range propagate_values.max_rounds randomizer.seed
  solve_eqs.context_solve solve_eqs.ite_solver solve_eqs.max_occs solve_eqs.theory_solver
`;

/** Excludes `include` and `get-proof-graph`, which read and write files, and commands for debugging Z3 (`dbg-…`). */
const commands = wordSet(`
  apply assert-not assert-soft assume check-sat-using declare-map declare-rel declare-tactic declare-var
  display eval get-consequences get-interpolant get-objectives get-user-tactics help help-simplifier
  help-tactic labels maximize minimize model-add model-del prefer query reset-preferences rule
  set-initial-value set-simplifier simplify
`);

/**
 * Every parameter with and without its module's name, since a tactic accepts both. A name that is forbidden in one
 * module is forbidden in all. Names are never split: `smt.proof` is a parameter of `sat` that writes a file, not
 * `proof` of `smt`.
 */
const options = namesIn(parameters);

function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  let module = '';
  for (const word of wordList(text)) {
    if (word.endsWith(':')) module = `${word.slice(0, -1)}.`;
    else names.add(word).add(module + word);
  }
  return names;
}

export const allowedInZ3: Allowed = {
  commands,
  hasOption: (name) => options.has(comparable(name)),
  takesOptionsInCommands: true,
};

/** Normalizes names as Z3 does: `norm_param_name` of util/params.cpp, `normalize` of util/gparams.cpp. */
function comparable(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[-:]/g, '_');
}
