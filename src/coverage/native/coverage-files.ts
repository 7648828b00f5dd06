/** Files of a counting build: the table that interprets its counters. */

import { existsSync, realpathSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CollectArtifacts } from '../../builds/index.js';
import { argumentList, Fault, runToEnd, sha256, usageFault, words } from '../../machine/index.js';
import { writeTable } from '../table-file.js';
import { parseLinkedCounters } from './linked-counters.js';
import { makeTable } from './make-table.js';

const tableName = 'coverage.table';

/** Path of a program's table; the program may be called by a link. */
export function tablePath(program: string): string {
  return join(dirname(existsSync(program) ? realpathSync(program) : program), tableName);
}

/** A program that only lists its counters takes less. */
const timeoutMs = 60_000;

/**
 * The list of counters that a counting program writes; undefined if it writes none.
 *
 * @param listed output file of the program
 */
export async function listCounters(
  program: string,
  listed: string,
  signal?: AbortSignal,
): Promise<string | undefined | Fault> {
  await rm(listed, { force: true });
  const end = await runToEnd({
    words: argumentList(program, words('--version')),
    env: { CULPRIT_COUNTERS_TABLE: listed },
    limitMs: timeoutMs,
    signal,
  });
  return end instanceof Fault ? end : readFile(listed, 'utf8').catch(() => undefined);
}

export const coverageFiles: CollectArtifacts = async ({ source, build, program }, signal) => {
  const text = await listCounters(program, join(build, 'counters.txt'), signal);
  if (text instanceof Fault) return text;
  if (text === undefined)
    return usageFault(
      'the build has no counters: pass $CULPRIT_COVERAGE_FLAGS to its compiler and $CULPRIT_COVERAGE_LINK to its linker',
    );
  const linked = parseLinkedCounters(text);
  if (linked instanceof Fault) return linked;
  const folders = [
    { path: build, named: 'build/' },
    { path: source, named: '' },
  ];
  const parts = await makeTable(linked, folders, signal);
  return parts instanceof Fault ? parts : { [tableName]: writeTable({ ...parts, linked: sha256(text) }) };
};
