/**
 * Adds an entry to a store in a process of its own: `adding-process.ts CACHE ID [COUNT]`. While adding, it waits
 * until COUNT processes are adding too. Prints the temporary folder, then the entry's.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Fault } from '../../src/machine/index.js';
import { openStore } from '../../src/solver/version/store.js';
import { filledWith } from './store-entry.js';

const [cache = '', id = '', count = '1'] = process.argv.slice(2);
const entry = await openStore(cache).add(id, async (folder) => {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'z3'), `made by ${process.pid}`);
  process.stdout.write(`${folder}\n`);
  while ((await countPartial(dirname(folder))) < Number(count)) await setTimeout(5);
  return filledWith(folder);
});
if (entry instanceof Fault) throw new Error(entry.message);
process.stdout.write(`${entry.dir}\n`);

/** If another process was first, its entry stays. */
async function countPartial(dir: string): Promise<number> {
  const names = await readdir(dir);
  return names.includes(id)
    ? Number.POSITIVE_INFINITY
    : names.filter((name) => name.startsWith('.part-')).length;
}
