/** Writes generated subjects to disk, and verifies their causes with real builds. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../src/machine/index.js';
import { type Edit, editsIn, linesOfEdits, type Role, textOf } from './edits.js';
import { type GeneratedProgram, generateProgram, harmlessIn, sizeOf } from './program.js';

export interface EditPlace {
  readonly file: string;
  /** A line of the new version; for removed lines, the following one. */
  readonly line: number;
  /** Number of lines in the new version. */
  readonly count: number;
}

export interface GeneratedSubject {
  readonly name: string;
  readonly folder: string;
  readonly plots: readonly string[];
  readonly lines: number;
  readonly edits: number;
  /** The smallest sets of changes that repair the test. The blamed set should be one of them. */
  readonly causes: readonly (readonly EditPlace[])[];
  readonly build: string;
  readonly test: string;
}

/**
 * The seed of the published results. During development other seeds were used: 20, 101, 202, 303, 2718, 4711, 16180,
 * 31415.
 */
export const publishedSeed = 57721;
export const publishedCount = 30;

const build = 'make -s';
const test = './prog 7 > out.txt && cmp -s out.txt expected.txt';

/** The subjects of a seed. A program that fails verification is generated again. */
export function generateSubjects(seed: number, count: number, folder: string): readonly GeneratedSubject[] {
  const random = Random.fromSeed(seed);
  const subjects: GeneratedSubject[] = [];
  for (let drawn = 0; subjects.length < count; drawn++) {
    if (drawn > 10 * count) throw new Error('almost no generated program passes verification');
    const program = generateProgram(random.split());
    const name = `made-${String(subjects.length + 1).padStart(2, '0')}`;
    const subject = writeSubject(program, name, join(folder, name));
    if (subject !== undefined) subjects.push(subject);
  }
  return subjects;
}

/** Returns undefined if verification fails. */
function writeSubject(program: GeneratedProgram, name: string, folder: string): GeneratedSubject | undefined {
  const lines = sizeOf(program);
  const harmless = harmlessIn(program);
  if (lines < 300 || lines > 3000 || harmless < 50 || harmless > 500) return undefined;
  mkdirSync(folder, { recursive: true });
  const expected = verifiedOutput(program, join(folder, 'verifying'));
  if (expected === undefined) return undefined;
  for (const version of ['old', 'new']) {
    writeVersion(program, join(folder, version), () => version === 'new');
    writeFileSync(join(folder, version, 'expected.txt'), expected);
  }
  const places = placesIn(program);
  const causes = program.causes.map((set) => set.flatMap((edit) => places.get(edit) ?? []));
  const culprit = (causes[0] ?? []).map(({ file, line }) => ({ file, lines: [line, line] }));
  writeFileSync(
    join(folder, 'subject.json'),
    `${JSON.stringify({ old: 'old', new: 'new', build, test, culprit }, undefined, 2)}\n`,
  );
  const edits = editsIn(program.files).length;
  return { name, folder, plots: program.plots, lines, edits, causes, build, test };
}

function placesIn({ files }: GeneratedProgram): ReadonlyMap<Edit, EditPlace> {
  return new Map(
    files.flatMap(({ path, pieces }) =>
      [...linesOfEdits(pieces)].map(
        ([edit, line]) => [edit, { file: path, line, count: edit.new.length }] as const,
      ),
    ),
  );
}

function writeVersion({ files }: GeneratedProgram, folder: string, isMade: (edit: Edit) => boolean): void {
  mkdirSync(folder, { recursive: true });
  for (const { path, pieces } of files) writeFileSync(join(folder, path), textOf(pieces, isMade));
}

/**
 * The output of the old version, if the new version has another one because of the planted changes: every set of
 * causes repairs it; no set does without one of its members; reverting all harmless edits does not; and no cause can
 * be reverted without the edits it needs to compile.
 */
function verifiedOutput(program: GeneratedProgram, folder: string): string | undefined {
  const edits = editsIn(program.files);
  const inRole = (wanted: Role): readonly Edit[] => edits.filter(({ role }) => role === wanted);
  const [harmless, needed] = [inRole('harmless'), inRole('needed')];
  const shown = (reverted: readonly Edit[]): string | undefined => {
    const back = new Set(reverted);
    writeVersion(program, folder, (edit) => !back.has(edit));
    return outputIn(folder);
  };
  const expected = shown(edits);
  if (expected === undefined) return undefined;
  const isWrong = (reverted: readonly Edit[]): boolean => {
    const output = shown(reverted);
    return output !== undefined && output !== expected;
  };
  if (!isWrong([]) || !isWrong(harmless)) return undefined;
  for (const set of program.causes) {
    if (shown([...set, ...needed]) !== expected) return undefined;
    if (needed.length > 0 && shown(set) !== undefined) return undefined;
    for (const kept of set.length < 2 ? [] : set) {
      const others = set.filter((cause) => cause !== kept);
      // With its needed edits reverted, a cause must not remain.
      if (shown([...others, ...needed]) === expected) return undefined;
      if (needed.length === 0 && (!isWrong(others) || !isWrong([...others, ...harmless]))) return undefined;
    }
  }
  return expected;
}

/** Returns undefined if the build or the program fails. */
function outputIn(folder: string): string | undefined {
  const built = spawnSync('make', ['-s', '-B', '-j2'], { cwd: folder, encoding: 'utf8' });
  if (built.status !== 0) return undefined;
  const run = spawnSync('./prog', ['7'], { cwd: folder, encoding: 'utf8', timeout: 10_000 });
  return run.status === 0 ? run.stdout : undefined;
}
