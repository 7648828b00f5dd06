/** What a culprit commit was meant to do, told by its message and the files it touched (SPRFinder, section 6.2). */

import type { Commit, FileChange } from '../repository/index.js';

export type Intention = 'program fix' | 'algorithm update' | 'theory selection' | 'unknown';

/** `compromise`: done knowingly, for something worth more. `bug`: nobody meant it, as later commits say. */
export type Class = 'compromise' | 'bug' | 'unclear';

interface TriageRule<Meaning> {
  readonly means: Meaning;
  /** What the evidence is, as a sentence begins. */
  readonly says: string;
  readonly message?: RegExp;
  /** At least half of the changed lines are in such files. */
  readonly files?: RegExp;
}

/** The first row that fits decides; all rows that fit are evidence. Adding a rule means adding a row. */
const intentionRules: readonly TriageRule<Intention>[] = [
  {
    means: 'theory selection',
    says: 'it changes which solver or theory is used',
    message:
      /\b(switch(es|ed)?|change[sd]?|set|enable[sd]?|disable[sd]?|use)\b.{0,40}\b(default|arith|lra|lia|nla|theory|core|legacy|new solver|tactic)\b/i,
  },
  {
    means: 'program fix',
    says: 'it fixes something',
    message:
      /\b(fix(es|ed|ing|up)?|bug|crash(es)?|unsound(ness)?|soundness|segfault|leak|assert(ion)? violation|regression|hotfix|repair|wrong|incorrect)\b/i,
  },
  { means: 'program fix', says: 'it belongs to an issue', message: /(^|\s)#\d+\b|\bissues?[ /#]*\d+/i },
  {
    means: 'algorithm update',
    says: 'it changes how something is solved',
    message:
      /\b(improv\w*|optimi[sz]\w*|perf(ormance)?|faster|speed\w*|axiom\w*|propagat\w*|rewrit\w*|heuristic\w*|simplif\w*|lemma\w*|unfold\w*|decompos\w*|derivative\w*|strateg\w*|add(s|ed|ing)?|new|support|implement\w*|tun(e|ing)|remove[sd]?|refactor\w*|merge[sd]?|moving|move[sd]?)\b/i,
  },
  {
    means: 'theory selection',
    says: 'most of it is in the arithmetic or another background theory',
    files:
      /(^|\/)(math\/(lp|simplex|polynomial)|smt\/theory_(arith|lra|array|bv|utvpi)|theory\/(arith|arrays|bv|uf))/,
  },
  {
    means: 'algorithm update',
    says: 'most of it is in the string solver',
    files: /(seq|string|str|regex)/i,
  },
];

const classRules: readonly TriageRule<Class>[] = [
  {
    means: 'compromise',
    says: 'it gives up speed for being right',
    message:
      /\b(soundness|unsound\w*|correctness|completeness|incomplete\w*|wrong (answer|result|model)s?)\b/i,
  },
  {
    means: 'compromise',
    says: 'it says that something will get worse',
    message:
      /\bbreaking change\b|\b(likely|expected|bound) to (introduce|cause|bring) (some )?(regressions?|slow-?downs?)\b/i,
  },
  {
    means: 'compromise',
    says: 'it says that it is not the last word',
    message: /\b(for now|temporar\w*|work ?around|todo|stopgap|conservative\w*|until)\b/i,
  },
];

const laterRules: readonly TriageRule<Class>[] = [
  { means: 'bug', says: 'a later commit reverts it', message: /\brevert/i },
  {
    means: 'bug',
    says: 'a later commit that names it, or mends it, speaks of speed',
    message: /\b(perf(ormance)?|slow(er|down)?|regression|timeout|loop|diverg\w*)\b/i,
  },
];

export interface Evidence {
  readonly says: string;
  /** The words or files it rests on. */
  readonly on: string;
}

export interface Triage {
  readonly intention: Intention;
  readonly class: Class;
  readonly evidence: readonly Evidence[];
  readonly issues: readonly string[];
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Lines added and deleted. */
  readonly size: number;
}

/** What is known about a culprit. */
export interface Culpable {
  readonly commit: Commit;
  readonly files: readonly FileChange[];
  readonly functions: readonly string[];
  /** Commits after it that name it, and the one that made its cases quick again. */
  readonly later: readonly Commit[];
}

export function triage({ commit, files, functions, later }: Culpable): Triage {
  const text = `${commit.subject}\n${commit.body}`;
  const intentions = fitting(intentionRules, text, files);
  const classes = [
    ...later.flatMap(({ id, subject, body }) =>
      fitting(laterRules, `${subject}\n${body}`, [], id.slice(0, 10)),
    ),
    ...fitting(classRules, text, files),
  ];
  return {
    intention: intentions[0]?.means ?? 'unknown',
    class: classes[0]?.means ?? 'unclear',
    evidence: [...intentions, ...classes].map(({ says, on }) => ({ says, on })),
    issues: [...new Set([...text.matchAll(/#(\d+)\b/g)].map(([, number]) => `#${number}`))],
    files,
    functions,
    size: changedLines(files),
  };
}

function fitting<Meaning>(
  rules: readonly TriageRule<Meaning>[],
  text: string,
  files: readonly FileChange[],
  where?: string,
): readonly (Evidence & { readonly means: Meaning })[] {
  return rules.flatMap(({ means, says, message, files: pattern }) => {
    const words = message?.exec(text)?.[0];
    const commit = where === undefined ? '' : ` (${where})`;
    if (words !== undefined) return [{ means, says, on: `“${words.trim()}”${commit}` }];
    const most = pattern === undefined ? undefined : mostOf(files, pattern);
    return most === undefined ? [] : [{ means, says, on: most }];
  });
}

/** The largest of the files that fit, if half of the changed lines are in such files. */
function mostOf(files: readonly FileChange[], pattern: RegExp): string | undefined {
  const fit = files.filter(({ path }) => pattern.test(path));
  if (fit.length === 0 || 2 * changedLines(fit) < changedLines(files)) return undefined;
  return fit.toSorted((a, b) => changedLines([b]) - changedLines([a]))[0]?.path;
}

function changedLines(files: readonly FileChange[]): number {
  return files.reduce((sum, { added, deleted }) => sum + (added ?? 0) + (deleted ?? 0), 0);
}
