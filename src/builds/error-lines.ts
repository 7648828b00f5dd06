const maxLines = 3;
const longest = 500;

/** Patterns of error messages, the most specific first: compiler, linker and CMake errors, then any error word. */
const complaints: readonly RegExp[] = [
  /\b(?:fatal )?error:|^CMake Error|undefined reference|multiple definition|: not found$|^make.*: \*\*\* /i,
  /error|fatal|not found/i,
];

/** CMake's checks, which may contain error words: `-- Performing Test HAS__Werror_odr`. */
const checks = /^\s*--\s/;

/** The lines of a build log that give the reason for its failure; the last lines if none does. */
export function errorLines(log: string): string {
  const lines = joinReasons(log.split('\n').filter((line) => line.trim() !== ''));
  const said = lines.filter((line) => !checks.test(line));
  const found = complaints
    .map((complaint) => said.filter((line) => complaint.test(line)))
    .find((those) => those.length > 0);
  return (found?.slice(0, maxLines) ?? lines.slice(-maxLines)).join(' | ').slice(0, longest);
}

/** CMake prints the location first and the reason below it, indented. */
function joinReasons(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    isOpen = /^CMake Error.*:$/.test(line) || (isOpen && line.startsWith('  '));
    if (isOpen && line.startsWith('  ')) joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
    else joined.push(line);
  }
  return joined;
}
