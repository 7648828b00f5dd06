/** The commands of README.md. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = fileURLToPath(new URL('../../README.md', import.meta.url));

/**
 * Every command that a reader may copy, in order: of a block with prompts what stands behind them, of any other block
 * each line. What is in a language of its own, between fences, is no command.
 */
export function readmeCommands(): readonly string[] {
  const text = readFileSync(readme, 'utf8').replaceAll(/^```\w+\n.*?^```$/gms, '');
  return blocksOf(text).flatMap((lines) => {
    const prompted = lines.filter((line) => line.startsWith('$ '));
    return (prompted.length > 0 ? prompted : lines).map(withoutRemark).filter((line) => line !== '');
  });
}

/** Lines that stand four columns in, and empty ones between them. */
function blocksOf(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/(?<=\n\n) {4}\S.*\n(?:(?: {4}.*)?\n)*/g)].map(([block]) =>
    block.split('\n').map((line) => line.slice(4)),
  );
}

function withoutRemark(line: string): string {
  return line
    .replace(/^\$ /, '')
    .replace(/\s+# .*$/, '')
    .trimEnd();
}
