/** Registers the end of something that several test files share; it ends with the first file that needed it. */

const ends: (() => Promise<void>)[] = [];

export function endsWithFile(end: () => Promise<void>): void {
  ends.push(end);
}

/** Called after every file (`after-each-file.ts`). */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
}
