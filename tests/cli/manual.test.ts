import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeCommandLine } from '../../src/cli/commands.js';
import { definitionOf, everyCommand } from '../../src/cli/definition.js';
import { buildEnvironment, environment } from '../../src/cli/manual/environment.js';
import { helpBlocks } from '../../src/cli/manual/help-block.js';
import { manualPage } from '../../src/cli/manual/page.js';
import { plain } from '../../src/cli/manual/roff.js';
import { packageVersion } from '../../src/cli/package-version.js';
import { needsTools } from '../needs.js';

needsTools('build');

const top = fileURLToPath(new URL('../..', import.meta.url));
const whole = definitionOf(await wholeCommandLine());
const commands = everyCommand(whole).filter(({ words, isImplied }) => words.length > 0 && !isImplied);
const page = manualPage(whole, packageVersion);
const lines = page.trimEnd().split('\n');

/** The escapes that a page may contain, and their characters. */
const printed: readonly (readonly [RegExp, string])[] = [
  [/^\\\(rs/, '\\'],
  [/^\\-/, '-'],
  [/^\\\(aq/, "'"],
  [/^\\\(ga/, '`'],
  [/^\\\(ha/, '^'],
  [/^\\\(ti/, '~'],
  [/^\\\(dq/, '"'],
  [/^\\&/, ''],
  [/^\\f[BIR]/, ''],
];

/** A line of text as a terminal shows it, or an error. */
function shown(line: string): string {
  let text = '';
  for (let rest = line; rest !== ''; ) {
    const unicode = /^\\\[u([0-9A-F]{4,6})\]/.exec(rest);
    const escaped = printed.find(([pattern]) => pattern.test(rest));
    const taken = unicode?.[0] ?? escaped?.[0].exec(rest)?.[0] ?? rest.slice(0, 1);
    if (unicode) text += String.fromCodePoint(Number.parseInt(unicode[1] ?? '', 16));
    else if (escaped) text += escaped[1];
    else if (taken === '\\') return `an escape there is not: ${rest.slice(0, 10)}`;
    else text += taken;
    rest = rest.slice(taken.length);
  }
  return text;
}

describe('text on a man page', () => {
  it('is shown literally, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const oneLine = text.replaceAll('…', '...').replaceAll(/\s+/g, ' ').trim();
        expect(shown(plain(text))).toBe(oneLine);
      }),
    );
  });

  it('is never a macro, and only ASCII', () => {
    const odd = fc.string({ unit: fc.constantFrom(...'.\'"\\-~^`…öa \n\t'.split('')) });
    fc.assert(
      fc.property(odd, (text) => {
        expect(plain(text)).toMatch(/^(?![.'])[ -~]*$/);
        expect(plain(text)).not.toContain('"');
      }),
    );
  });

  it('keeps hyphens, quotes and dots for copying', () => {
    expect(plain('--on')).toBe('\\-\\-on');
    expect(plain("'{program} < {case}'")).toBe('\\(aq{program} < {case}\\(aq');
    expect(plain('.smt2 \\n')).toBe('\\&.smt2 \\(rsn');
    expect(plain('Böhme …')).toBe('B\\[u00F6]hme ...');
  });
});

describe('the man page', () => {
  const macros = ['.\\"', '.TH', '.SH', '.SS', '.PP', '.TP', '.RS', '.RE', '.EX', '.EE', '.ad', '.nh', '.nr'];

  it('consists of known macros and literal text', () => {
    for (const line of lines) {
      if (line.startsWith('.')) expect(macros).toContain(line.split(' ')[0]);
      else expect(line).toMatch(/^[^'\s][ -~]*$/);
      if (!line.startsWith('.\\"')) expect(shown(line)).not.toContain('an escape there is not');
    }
  });

  it('closes every block, and every item has a term and a meaning', () => {
    const count = (macro: string) => lines.filter((line) => line.split(' ')[0] === macro).length;
    expect(count('.RS')).toBe(count('.RE'));
    expect(count('.EX')).toBe(count('.EE'));
    lines.forEach((line, at) => {
      if (line === '.TP') for (const next of [1, 2]) expect(lines[at + next]).toMatch(/^[^.]/);
      if (/^\.(PP|SH|SS)\b/.test(line)) expect(lines[at + 1]).toMatch(/^([^.]|\.(TP|SS))/);
    });
  });

  it('has the usual sections in the usual order', () => {
    const sections = lines.flatMap((line) => /^\.SH "(.*)"$/.exec(line)?.[1] ?? []);
    expect(sections).toEqual([
      ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'COMMANDS'],
      ...['EXIT STATUS', 'FILES', 'ENVIRONMENT', 'SEE ALSO'],
    ]);
  });

  it('has every command with its arguments, options, choices and examples', () => {
    const parts = page
      .split(/^\.SS /m)
      .slice(1)
      .map((part) => part.split('\n').map(shown));
    expect(parts).toHaveLength(commands.length);
    for (const [at, command] of commands.entries()) {
      const part = parts[at] ?? [];
      expect(part[0]).toBe(`"${['culprit', ...command.words, command.usage].join(' ')}"`);
      expect(part[1]).toBe(command.says);
      for (const { value } of command.arguments)
        expect(part.some((line) => line.includes(value.name))).toBe(true);
      for (const { flags, value } of command.options.filter(({ flags }) => !flags.includes('--help'))) {
        const term = part.findIndex((line) => line.split(' ').includes(flags[0] ?? ''));
        expect(part[term]).toContain(value?.name ?? '');
        expect(part[term + 1]).toContain(value?.choices?.join(', ') ?? '');
      }
      for (const { title, calls } of helpBlocks(command.more))
        for (const said of [title, ...calls]) expect(part).toContain(said);
    }
  });

  it('has every exit code', () => {
    const status = page.slice(page.indexOf('.SH "EXIT STATUS"'), page.indexOf('.SH "FILES"'));
    expect([...status.matchAll(/^\\fB(\d+)\\fR$/gm)].map(([, code]) => Number(code))).toEqual([
      0, 1, 2, 3, 130, 141,
    ]);
  });

  it('is at the path in package.json after a build', () => {
    // A list: npm links nothing if it is a single name.
    const { man } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { man: readonly string[] };
    expect(man.map((file) => readFileSync(join(top, file), 'utf8'))).toEqual([page]);
  });
});

it('the help after the options consists of titles with calls, or of names with meanings', () => {
  for (const { more } of commands) {
    for (const { title, calls, items } of helpBlocks(more)) {
      expect(title).toMatch(/^[A-Z]\w+:$/);
      expect(calls.length + items.length).toBeGreaterThan(0);
      for (const { name, says } of items) {
        expect(name).toMatch(/^\S+$/);
        expect(says).not.toBe('');
      }
    }
  }
});

it('the man page lists exactly the variables that the code reads', () => {
  // Variables for culprit's own child processes: marks, the cache of culprit-cc, the file of counters, the compiler
  // to call, and the list of functions to skip.
  const inner = [
    ...['CULPRIT_RUN', 'CULPRIT_COMPILING', 'CULPRIT_COUNTERS', 'CULPRIT_COUNTERS_TABLE'],
    ...['CULPRIT_PATH', 'CULPRIT_LAST', 'CULPRIT_LEFT_OUT', 'CULPRIT_CALLED'],
  ];
  const sources = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sh)$/.test(name) && !name.startsWith('cli/manual/'))
    .map((name) => readFileSync(join(top, 'src', name), 'utf8'))
    .join('\n');
  const own = [...sources.matchAll(/\bCULPRIT_[A-Z_]+\b/g)].map(([name]) => name);
  const others = [...sources.matchAll(/\benv\.([A-Za-z_]+)\b/g)].map(([, name = '']) => name);
  const told = Object.keys({ ...environment, ...buildEnvironment }).flatMap((names) => names.split(', '));
  const lower = (name: string) => (name.endsWith('_PROXY') ? name.toLowerCase() : name);
  const asked = new Set([...own, ...others].filter((name) => !inner.includes(name)).map(lower));
  expect([...asked].filter((name) => !told.includes(name))).toEqual([]);
  const ours = told.filter((name) => name.startsWith('CULPRIT_'));
  expect(ours.filter((name) => !asked.has(name))).toEqual([]);
});
