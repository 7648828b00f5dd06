import { execFileSync } from 'node:child_process';
import { signatureOf } from '../src/program/ir/index.js';

/** c++filt spells out what everybody calls by a short name. */
const spelledOut =
  /std::basic_(istream|ostream|iostream|string)<char, std::char_traits<char>(, std::allocator<char>)? ?>/g;

/** The functions of a program, or of a library, as culprit and as c++filt write them; $CULPRIT_BENCH_PROGRAM names it. */
export function signaturesBench(): void {
  const { CULPRIT_BENCH_PROGRAM: program } = process.env;
  if (program === undefined) throw new Error('name CULPRIT_BENCH_PROGRAM');
  const run = (command: string, args: readonly string[], input = ''): readonly string[] =>
    execFileSync(command, [...args], { input, encoding: 'utf8', maxBuffer: 1 << 30 })
      .trimEnd()
      .split('\n');
  const listed = [...run('nm', [program]), ...run('nm', ['-D', program])];
  const names = listed.map((line) => line.replace(/^.* /, '').replace(/@.*$/, ''));
  const symbols = [...new Set(names)].filter((name) => name.startsWith('_Z'));
  const expected = run('c++filt', [], `${symbols.join('\n')}\n`);
  const began = performance.now();
  const found = symbols.map((symbol) => signatureOf(symbol));
  const ms = performance.now() - began;
  // Where one bracket closes behind another it has a space between them in most cases, and not in all.
  const alike = (text: string): string => text.replaceAll(/> (?=>)/g, '>').replaceAll(spelledOut, 'std::$1');
  const unread = found.filter((signature) => signature === undefined).length;
  const others = symbols.filter((_, at) => {
    const [own, other = ''] = [found[at], expected[at]];
    return own !== undefined && alike(own) !== alike(other);
  });
  console.log(
    `${symbols.length} symbols, ${((1000 * ms) / symbols.length).toFixed(1)} us each: ` +
      `${symbols.length - unread - others.length} as c++filt, ${unread} not read, ${others.length} others`,
  );
  for (const symbol of others.slice(0, 20)) console.log(`  ${symbol}: ${signatureOf(symbol)}`);
}
