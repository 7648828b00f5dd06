import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const readme = fileURLToPath(new URL('../../README.md', import.meta.url));

/**
 * Every command that a reader can copy, in order. In a block with prompts, these are the lines with a prompt; in any
 * other block, all lines. Fenced blocks with a language contain no commands.
 */
export function readmeCommands(): readonly string[] {
  const text = readFileSync(readme, 'utf8').replaceAll(/^```\w+\n.*?^```$/gms, '');
  return blocksOf(text).flatMap((lines) => {
    const prompted = lines.filter((line) => line.startsWith('$ '));
    return (prompted.length > 0 ? prompted : lines).map(withoutRemark).filter((line) => line !== '');
  });
}

/** Blocks of lines with an indentation of four columns, including empty lines between them. */
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
