/** What is begun by something that several test files share ends with the file that was the first to need it. */

const ends: (() => Promise<void>)[] = [];

export function endsWithFile(end: () => Promise<void>): void {
  ends.push(end);
}

/** Is called after every file (`after-each-file.ts`). */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
