import { chownSync } from 'node:fs';

const nobody = 65534;

/** Does something without root's rights, which no folder could withstand; the folders are that user's meanwhile. */
export async function asOrdinaryUser(folders: readonly string[], act: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return act();
  for (const folder of folders) chownSync(folder, nobody, nobody);
  process.setegid?.(nobody);
  process.seteuid?.(nobody);
  try {
    await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
