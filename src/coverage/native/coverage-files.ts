/** What is kept of a build that counts what it executes: the table by which its counters are read. */

import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AlsoKeep } from '../../builds/index.js';
import { argumentList, Fault, runToEnd, usageFault, words } from '../../machine/index.js';
import { writeTable } from '../table-file.js';
import { parseLinkedCounters } from './linked-counters.js';
import { makeTable } from './make-table.js';

const tableName = 'coverage.table';

/** Where the table of a program is, if it has one. */
export function tablePath(program: string): string {
  return join(dirname(program), tableName);
}

/** A program that only says what it is takes no longer. */
const mostMs = 60_000;

export const coverageFiles: AlsoKeep = async ({ source, build, program }, signal) => {
  const listed = join(build, 'counters.txt');
  await rm(listed, { force: true });
  const end = await runToEnd({
    words: argumentList(program, words('--version')),
    env: { CULPRIT_COUNTERS_TABLE: listed },
    limitMs: mostMs,
    signal,
  });
  if (end instanceof Fault) return end;
  const text = await readFile(listed, 'utf8').catch(() => undefined);
  if (text === undefined)
    return usageFault(
      'the build has no counters: its compiler must be given $CULPRIT_COVERAGE_FLAGS, its linker $CULPRIT_COVERAGE_LINK',
    );
  const linked = parseLinkedCounters(text);
  if (linked instanceof Fault) return linked;
  const folders = [
    { path: build, named: 'build/' },
    { path: source, named: '' },
  ];
  const parts = await makeTable(linked, folders, signal);
  return parts instanceof Fault ? parts : { [tableName]: writeTable(parts) };
};
