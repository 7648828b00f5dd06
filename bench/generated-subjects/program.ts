/**
 * Generates a program in both versions: a header, globals, stages that call ordinary functions, and plots among them.
 */

import type { Random } from '../../src/machine/index.js';
import { type Edit, edit, editsIn, type GeneratedFile, isEdit, type Piece } from './edits.js';
import { type GeneratedFunction, ordinaryFunction, type Scope, unusedFunction } from './functions.js';
import { type Plot, plots } from './plots.js';
import { UniqueNames } from './unique-names.js';

export interface GeneratedProgram {
  readonly plots: readonly string[];
  readonly files: readonly GeneratedFile[];
  /** The smallest sets of edits whose reversal repairs the new version. */
  readonly causes: readonly (readonly Edit[])[];
}

/** Number of edits in a program. */
const [leastEdits, mostEdits] = [50, 470];

interface Stage {
  readonly name: string;
  readonly functions: Piece[];
  readonly calls: string[];
  readonly callable: string[];
}

export function generateProgram(random: Random): GeneratedProgram {
  const words = new UniqueNames(random.split());
  // Small programs are more frequent than large ones, as with real updates.
  const editCount = Math.round(leastEdits * (mostEdits / leastEdits) ** (random.below(1001) / 1000));
  const planted = random
    .sample(Object.entries(plots), random.chance(0.55) ? 1 : 2)
    .map(([name, plantParts]) => ({
      name,
      plot: plantParts(random.split(), words),
    }));
  const stages = Array.from(
    { length: 2 + Math.floor(editCount / 70) + random.below(3) },
    (): Stage => ({
      name: words.next(),
      functions: [],
      calls: [],
      callable: [],
    }),
  );
  const declarations: string[] = [];
  const density = random.between(35, 75) / 100;
  for (const { plot } of planted) plant(plot, stages, declarations, random);
  const editsSoFar = (): number =>
    stages.reduce((sum, { functions }) => sum + functions.filter(isEdit).length, 0);
  for (let at = 0; editsSoFar() < editCount; at++) {
    const stage = stages[at % stages.length];
    if (stage === undefined) break;
    addFunction(stage, { random, words, density, callable: stage.callable }, declarations);
  }
  const files = [
    {
      path: 'shared.h',
      pieces: header(
        planted.map(({ plot }) => plot),
        stages,
        declarations,
      ),
    },
    {
      path: 'shared.c',
      pieces: globals(
        planted.map(({ plot }) => plot),
        random,
      ),
    },
    ...stages.map((stage, at) => ({ path: `${stage.name}.c`, pieces: stageFile(stage, at, random) })),
    { path: 'main.c', pieces: mainFile(stages, random) },
    { path: 'Makefile', pieces: makefile(stages) },
  ];
  return {
    plots: planted.map(({ name }) => name),
    files,
    causes: combinations(planted.map(({ plot }) => plot.causes)),
  };
}

/** One set of each choice, in all combinations. */
function combinations(choices: readonly Plot['causes'][]): GeneratedProgram['causes'] {
  return choices.reduce<GeneratedProgram['causes']>(
    (sets, more) => sets.flatMap((set) => more.map((other) => [...set, ...other])),
    [[]],
  );
}

/** The parts of a plot are in consecutive stages, and the last stage calls the plot. */
function plant(plot: Plot, stages: readonly Stage[], declarations: string[], random: Random): void {
  let at = random.below(stages.length);
  for (const { declaration, pieces } of plot.functions) {
    const stage = stages[at];
    declarations.push(`${declaration};`);
    // A unique function after the part, so that additions below it do not match the part.
    const number = random.between(100_000, 999_999);
    const below = [`unsigned version_${number}(void)`, '{', `  return ${number}u;`, '}', ''];
    stage?.functions.push(declaration, '{', ...pieces, '}', '', ...below);
    if (random.chance(0.6)) at = Math.min(at + 1, stages.length - 1);
  }
  const sum = random.pick(['st->total += ', 'st->total ^= ', 'st->parts[stage] += ']);
  stages[at]?.calls.push(`    ${sum}(unsigned) (${plot.call('it', '(st->total % 1000u)')});`);
}

function addFunction(stage: Stage, scope: Scope, declarations: string[]): void {
  const { random } = scope;
  const isUnused = random.chance(0.12);
  const added: GeneratedFunction = isUnused ? unusedFunction(scope) : ordinaryFunction(scope);
  declarations.push(`unsigned ${added.name}(unsigned, unsigned);`);
  stage.functions.push(...added.pieces);
  if (isUnused) return;
  stage.callable.push(added.name);
  const target = random.pick(['st->total', 'st->total', 'st->parts[stage]']);
  stage.calls.push(
    `    ${target} = ${target} * ${random.pick([3, 5, 31])}u + ${added.name}(it->${random.pick(['id', 'weight'])}, st->total & 255u);`,
  );
}

function header(
  planted: readonly Plot[],
  stages: readonly Stage[],
  declarations: readonly string[],
): readonly Piece[] {
  return [
    '#ifndef SHARED_H',
    '#define SHARED_H',
    '#include <stdio.h>',
    '#define ITEMS 5u',
    `#define STAGES ${stages.length}u`,
    'struct item {',
    '  unsigned id;',
    '  unsigned weight;',
    '  char label[12];',
    '};',
    'struct state {',
    '  unsigned total;',
    '  unsigned parts[STAGES];',
    '};',
    'struct counts {',
    '  unsigned steps;',
    '  unsigned failures;',
    '  unsigned marks[8];',
    '};',
    'extern struct item items[ITEMS];',
    'extern struct counts shown;',
    'unsigned mixed(unsigned low, unsigned high);',
    'void fill_items(unsigned seed);',
    ...planted.flatMap((plot) => ['', ...plot.header]),
    '',
    ...declarations,
    ...stages.map(({ name }) => `void run_${name}(struct state *st, unsigned stage);`),
    '#endif',
  ];
}

function globals(planted: readonly Plot[], random: Random): readonly Piece[] {
  const [low, high] = [random.between(3, 30), random.between(1000, 9000)];
  return [
    '#include "shared.h"',
    'struct item items[ITEMS];',
    'struct counts shown;',
    ...planted.flatMap((plot) => ['', ...plot.globals]),
    '',
    'unsigned mixed(unsigned low, unsigned high)',
    '{',
    edit('harmless', `  unsigned sum = low * ${low}u + high;`, `  unsigned sum = high + low * ${low}u;`),
    '  sum ^= sum >> 5;',
    '  return sum & 1023u;',
    '}',
    '',
    'void fill_items(unsigned seed)',
    '{',
    '  unsigned at;',
    '  for (at = 0; at < ITEMS; at++) {',
    `    seed = seed * 1103515245u + ${high}u;`,
    edit('harmless', '    items[at].id = at * 3u + 1u;', '    items[at].id = 1u + at + 2u * at;'),
    '    items[at].weight = (seed >> 16) % 200u;',
    edit(
      'harmless',
      '    sprintf(items[at].label, "n%u", at);',
      '    snprintf(items[at].label, sizeof items[at].label, "n%u", at);',
    ),
    '  }',
    '}',
  ];
}

function stageFile({ name, functions, calls }: Stage, at: number, random: Random): readonly Piece[] {
  const isShown = random.chance(0.4);
  return [
    '#include "shared.h"',
    '',
    ...functions,
    `void run_${name}(struct state *st, unsigned stage)`,
    '{',
    '  unsigned at;',
    random.chance(0.5)
      ? edit(
          'harmless',
          '  for (at = 0; at < ITEMS; at++) {',
          random.chance(0.5)
            ? '  for (at = 0; at != ITEMS; ++at) {'
            : '  for (at = 0; ITEMS > at; at += 1u) {',
        )
      : '  for (at = 0; at < ITEMS; at++) {',
    '    struct item *it = &items[at];',
    ...random.shuffled(calls),
    ...(random.chance(0.5)
      ? [
          edit(
            'harmless',
            '    st->total += it->label[1];',
            '    st->total = st->total + (unsigned) it->label[1];',
          ),
        ]
      : []),
    `    st->parts[stage] ^= st->total + ${at + 2}u;`,
    '  }',
    ...(isShown ? [`  printf("${name} %u %u\\n", st->total, st->parts[stage]);`] : []),
    '}',
  ];
}

function mainFile(stages: readonly Stage[], random: Random): readonly Piece[] {
  return [
    '#include <stdlib.h>',
    '#include "shared.h"',
    '',
    'int main(int count, char **words)',
    '{',
    '  unsigned at;',
    '  struct state st = { 0 };',
    '  if (count < 2) {',
    edit(
      'harmless',
      '    fprintf(stderr, "usage: prog SEED\\n");',
      '    fprintf(stderr, "usage: %s SEED\\n", words[0]);',
    ),
    '    return 2;',
    '  }',
    edit(
      'harmless',
      '  fill_items((unsigned) atoi(words[1]));',
      '  fill_items((unsigned) strtol(words[1], 0, 10));',
    ),
    ...stages.map(({ name }, at) => `  run_${name}(&st, ${at}u);`),
    `  printf("total %u, seen %u\\n", st.total, st.total % ${random.between(7, 99)}u);`,
    '  for (at = 0; at < STAGES; at++)',
    edit(
      'harmless',
      '    printf("%u: %u\\n", at, st.parts[at]);',
      '    printf("%u: %u\\n", at, *(st.parts + at));',
    ),
    '  printf("%u steps, %u failures\\n", shown.steps, shown.failures);',
    '  for (at = 0; at < 8u; at++)',
    '    printf("%u ", shown.marks[at]);',
    '  printf("\\n");',
    '  return 0;',
    '}',
  ];
}

function makefile(stages: readonly Stage[]): readonly Piece[] {
  const objects = ['main', 'shared', ...stages.map(({ name }) => name)].map((name) => `${name}.o`);
  return [
    'CFLAGS = -O0 -w -Werror=implicit-function-declaration',
    `OBJECTS = ${objects.join(' ')}`,
    'prog: $(OBJECTS)',
    '\t$(CC) -o $@ $(OBJECTS)',
    '%.o: %.c shared.h',
    '\t$(CC) $(CFLAGS) -c -o $@ $<',
  ];
}

/** Lines of code in the new version. */
export function sizeOf({ files }: GeneratedProgram): number {
  const code = files.filter(({ path }) => path !== 'Makefile');
  return code
    .flatMap(({ pieces }) => pieces)
    .reduce((sum, piece) => sum + (isEdit(piece) ? piece.new.length : 1), 0);
}

export function harmlessIn(program: GeneratedProgram): number {
  return editsIn(program.files).filter(({ role }) => role === 'harmless').length;
}
