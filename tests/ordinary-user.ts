import { chownSync } from 'node:fs';

const nobody = 65534;

/** Acts without root's rights, to which permissions do not apply. The folders belong to that user meanwhile. */
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
