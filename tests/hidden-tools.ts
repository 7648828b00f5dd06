/**
 * Before `npm run test:unit`: hides the tools of tools.ts from the tests, and culprit's cache and the network from culprit.
 * A test that needs them fails on every machine until it is marked (see needs.ts).
 */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The tools of tools.ts, others that build programs, and browsers. */
const hidden =
  /^(z3|cvc4|cvc5|(clang|opt|llvm|lld|lli|llc)\b.*|(.*-linux-gnu-)?(cc|c\+\+|gcc|g\+\+|cpp|c89|c99|ar|as|ld|nm|objcopy|objdump|strip|ranlib|gcov)(\b.*)?|make|cmake|ninja|(chrom|google-chrome).*)$/;

export default function hideTools(): () => void {
  const top = mkdtempSync(join(tmpdir(), 'culprit-unit-'));
  const programs = join(top, 'bin');
  mkdirSync(programs);
  const folders = [...new Set((process.env.PATH ?? '').split(delimiter))];
  for (const folder of folders.filter(existsSync))
    for (const name of readdirSync(folder)) {
      const link = join(programs, name);
      if (!hidden.test(name) && !existsSync(link)) symlinkSync(join(folder, name), link);
    }
  process.env.PATH = programs;
  process.env.CULPRIT_CACHE = join(top, 'cache');
  process.env.CULPRIT_OFFLINE = '1';
  return () => rmSync(top, { recursive: true, force: true });
}
