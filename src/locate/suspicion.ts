/** The suspicion formulas of spectrum-based fault localization (SMTLOC, 3.4). */

/** How many failing and passing formulas execute a statement, and how many exist. */
export interface Executions {
  readonly failing: number;
  readonly passing: number;
  readonly allFailing: number;
  readonly allPassing: number;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Caps DStar, which is infinite for statements that only failing formulas execute. */
const beyond = 1e9;

export const suspicions = {
  /** Eq. 1; with one failing formula that executes the statement it is 1 / √(1 + passing), Eq. 2. */
  ochiai: ({ failing, passing, allFailing }) => share(failing, Math.sqrt(allFailing * (failing + passing))),
  tarantula: ({ failing, passing, allFailing, allPassing }) => {
    const [fails, passes] = [share(failing, allFailing), share(passing, allPassing)];
    return share(fails, fails + passes);
  },
  /** With the usual exponent 2. */
  dstar: ({ failing, passing, allFailing }) =>
    failing === 0 ? 0 : Math.min(beyond, failing ** 2 / (passing + allFailing - failing)),
  op2: ({ failing, passing, allPassing }) => failing - passing / (allPassing + 1),
  barinel: ({ failing, passing }) => (failing === 0 ? 0 : 1 - share(passing, passing + failing)),
} as const satisfies Record<string, (executions: Executions) => number>;

export type SuspicionName = keyof typeof suspicions;
export const suspicionNames = Object.keys(suspicions) as readonly SuspicionName[];
