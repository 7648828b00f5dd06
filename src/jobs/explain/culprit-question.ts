/** The question for `culprit explain` that names the changes within a culprit commit. */

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { BisectSettings, Culprit } from '../../history/index.js';
import { Fault, packageFile, pathExists, usageFault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { shortId } from '../../repository/index.js';
import { families } from '../../solver/index.js';

export interface CulpritQuestion {
  readonly old: string;
  readonly new: string;
  readonly repository: string;
  readonly build: string;
  readonly test: string;
  readonly slowness: { readonly factor: number; readonly isPrinted: boolean };
  readonly testLimitMs: number;
  readonly memoryBytes: number;
  readonly buildLimitMs: number;
}

/** A smaller slowdown cannot be told from noise by time. */
const leastFactor = 1.05;

/** @param formula the file with the formula of the case, if it has one */
export function culpritQuestion(
  settings: BisectSettings,
  { commit, case: id, beforeLevel, afterLevel }: Culprit,
  formula: string,
): CulpritQuestion | Fault {
  const { recipe, timeoutMs, memoryBytes, by, isPrinted, repository } = settings;
  if (recipe.patches.length > 0)
    return usageFault('the sources are patched before they are built, which is not taken through changes');
  const test = testOf(settings, id, formula);
  if (test instanceof Fault) return test;
  // The geometric mean, so that a change with only a part of the slowdown is found too.
  const factor = Math.sqrt(afterLevel / Math.max(beforeLevel, 1e-9));
  return {
    old: `${shortId(commit)}~1`,
    new: shortId(commit),
    repository,
    build: buildOf(settings),
    test,
    slowness: {
      factor: Math.min(1e9, Math.max(leastFactor, factor)),
      isPrinted: isPrinted || by === 'effort',
    },
    testLimitMs: 2 * timeoutMs,
    memoryBytes,
    buildLimitMs: 60_000 * recipe.minutes,
  };
}

/** Next to the sources, so that it is copied with them. */
const buildFolder = '"$PWD"/../build';

/** The recipe as one shell command, with the variables it may use. */
function buildOf({ recipe }: BisectSettings): string {
  const env = Object.entries(recipe.env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const own = [
    `CULPRIT_BUILD=${buildFolder}`,
    `CULPRIT_JOBS=${availableParallelism()}`,
    `CULPRIT_COMPILE=${shellWord(packageFile('src/builds/quick-compile.sh'))}`,
  ];
  return [
    `export ${[...own, ...env].join(' ')}; mkdir -p "$CULPRIT_BUILD"`,
    ...recipe.build.map((command) => `{ ${command}\n}`),
  ].join(' && ');
}

function programOf({ recipe: { binary } }: BisectSettings): string {
  const inBuild = '$CULPRIT_BUILD/';
  return binary.startsWith(inBuild)
    ? `${buildFolder}/${shellWord(binary.slice(inBuild.length))}`
    : `"$PWD"/${shellWord(binary)}`;
}

function testOf(settings: BisectSettings, id: Culprit['case'], formula: string): string | Fault {
  const { command, cases, family, solver, by } = settings;
  const asked = cases[id];
  const program = programOf(settings);
  if (command !== undefined) {
    // The command runs in another folder than the one it was named in.
    const name = asked?.name ?? '';
    const place = pathExists(name) ? resolve(name) : name;
    return command.map((word) => wordOf(word.replaceAll('{case}', place), program)).join(' ');
  }
  const called = family ?? solver;
  if (called === undefined) return usageFault('what the program is asked is not known');
  const { always, seed, effort } = families[called];
  const words = [...always, ...(asked?.seed === undefined ? [] : seed(asked.seed))].map(shellWord);
  const call = `${program} ${words.join(' ')} < ${shellWord(resolve(formula))}`;
  if (by === 'time') return `${call} > /dev/null`;
  if (effort === undefined) return usageFault(`${called} does not count its work`);
  const pattern = effort.source.replaceAll('\\s', '[[:space:]]').replaceAll('\\d', '[0-9]');
  return `${call} 2>&1 | grep -oE ${shellWord(pattern)}`;
}

/** The program is a shell expression and must stay unquoted within the quoted word. */
function wordOf(word: string, program: string): string {
  return word
    .split('{program}')
    .map((part) => (part === '' && word !== '' ? '' : shellWord(part)))
    .join(program);
}
