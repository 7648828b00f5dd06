/** Lines that are told of a build that failed. */
const toldLines = 3;
const longest = 500;

/** What says why a build failed, the surest first: what a compiler, a linker or CMake complains of, then any such word. */
const complaints: readonly RegExp[] = [
  /\b(?:fatal )?error:|^CMake Error|undefined reference|multiple definition|: not found$|^make.*: \*\*\* /i,
  /error|fatal|not found/i,
];

/** What a tool tries out and tells of, whatever words are in it: `-- Performing Test HAS__Werror_odr`. */
const trials = /^\s*--\s/;

/** The lines of a build's log that say why it failed; its last ones where none does. */
export function tellingLines(log: string): string {
  const lines = withReasons(log.split('\n').filter((line) => line.trim() !== ''));
  const said = lines.filter((line) => !trials.test(line));
  const found = complaints
    .map((complaint) => said.filter((line) => complaint.test(line)))
    .find((those) => those.length > 0);
  return (found?.slice(0, toldLines) ?? lines.slice(-toldLines)).join(' | ').slice(0, longest);
}

/** CMake says where, and why below it, indented. */
function withReasons(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    isOpen = /^CMake Error.*:$/.test(line) || (isOpen && line.startsWith('  '));
    if (isOpen && line.startsWith('  ')) joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
    else joined.push(line);
  }
  return joined;
}
