import { asWritten, Fault, type Machine, runTool } from '../../machine/index.js';
import { type Dialect, dialects } from '../../smtlib/index.js';
import { dialectOf } from '../version/dialects.js';
import { engineOf } from '../version/spec.js';
import type { FamilyName } from '../version/version.js';

/** Whether the names are the new ones, and how long a literal is that is one character to whom reads `\x41`. */
const questions = String.raw`
(simplify (str.in_re "a" (str.to_re "a")))
(simplify (str.len "\x41"))
`;

/** What Z3 prints for them, line by line; anything else leaves the matter open. */
const answers: readonly (readonly [RegExp, Dialect])[] = [
  [/^\(error .*\n1$/, dialects['2.5']],
  [/^true\n1$/, dialects['2.6x']],
  [/^true\n4$/, dialects['2.6']],
];

/**
 * The dialect of a program that need not be a release. Z3 takes the number of its next release the day after the last
 * one, months before it takes that release's names, so a build in between is asked what it understands.
 */
export async function spokenDialect(
  command: readonly string[],
  family: FamilyName,
  number: string,
  machine: Machine,
): Promise<Dialect> {
  const byNumber = dialectOf(family, number);
  if (family === 'custom' || engineOf[family] !== 'z3') return byNumber;
  const asked = asWritten([...command, '-in', '-smt2']);
  const end = await runTool(asked, machine, { timeoutMs: 5_000, input: Buffer.from(questions) });
  // What is wrong with it will be said by its first run.
  if (end instanceof Fault) return byNumber;
  const said = end.stdout.toString('utf8').trim();
  return answers.find(([pattern]) => pattern.test(said))?.[1] ?? byNumber;
}
