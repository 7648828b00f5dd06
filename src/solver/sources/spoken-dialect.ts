import { Fault, type Machine, runTool, userCommand } from '../../machine/index.js';
import { type Dialect, dialects } from '../../smtlib/index.js';
import { dialectOf } from '../version/dialects.js';
import { engineOf } from '../version/spec.js';
import type { FamilyName } from '../version/version.js';

/** Tests whether Z3 knows the new operator names, and whether it reads `\x41` as one character or as four. */
const questions = String.raw`
(simplify (str.in_re "a" (str.to_re "a")))
(simplify (str.len "\x41"))
`;

const answers: readonly (readonly [RegExp, Dialect])[] = [
  [/^\(error .*\n1$/, dialects['2.5']],
  [/^true\n1$/, dialects['2.6x']],
  [/^true\n4$/, dialects['2.6']],
];

/**
 * The dialect of a build between releases. Z3 takes the number of its next release months before it takes the
 * operator names of that release, so culprit asks the program itself.
 */
export async function spokenDialect(
  command: readonly string[],
  family: FamilyName,
  number: string,
  machine: Machine,
): Promise<Dialect> {
  const byNumber = dialectOf(family, number);
  if (family === 'custom' || engineOf[family] !== 'z3') return byNumber;
  const end = await runTool(userCommand([...command, '-in', '-smt2']), machine, {
    timeoutMs: 5_000,
    input: Buffer.from(questions),
  });
  // The first run reports the problem.
  if (end instanceof Fault) return byNumber;
  const output = end.stdout.toString('utf8').trim();
  return answers.find(([pattern]) => pattern.test(output))?.[1] ?? byNumber;
}
