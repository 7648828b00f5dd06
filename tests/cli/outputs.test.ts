import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { wholeCommandLine } from '../../src/cli/commands.js';
import { definitionOf, everyCommand } from '../../src/cli/definition.js';
import { outputs } from '../../src/cli/outputs/outputs.js';
import { printedBy } from '../../src/cli/outputs/printed-by.js';
import { printJson } from '../../src/cli/screen/terminal.js';
import { mustBeAsPublished, publishedSchema } from './as-published.js';
import { fieldsPage, type Schema, schemas } from './output-tables.js';

const top = fileURLToPath(new URL('../..', import.meta.url));

/** Every part of a schema with its path. */
function partsOf(schema: Schema, path: string): readonly (readonly [path: string, part: Schema])[] {
  const inside: (readonly [string, Schema | boolean | undefined])[] = [
    ...Object.entries({ ...schema.properties, ...schema.$defs }).map(([key, part]) => [key, part] as const),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.prefixItems ?? [])].map(
      (part, at) => [String(at), part] as const,
    ),
    ['[]', schema.items],
    ['*', schema.additionalProperties],
  ];
  const below = inside.flatMap(([key, part]) =>
    typeof part === 'object' ? partsOf(part, `${path}.${key}`) : [],
  );
  return [[path, schema], ...below];
}

const parts = Object.entries(schemas).flatMap(([name, schema]) => partsOf(schema, name));

describe('JSON output', () => {
  it('is documented for exactly the commands that have it', async () => {
    const commands = everyCommand(definitionOf(await wholeCommandLine()));
    const printing = commands.filter(({ options }) => options.some(({ flags }) => flags.includes('--json')));
    expect(Object.keys(printedBy).toSorted()).toEqual(
      printing.map(({ words }) => words.join(' ')).toSorted(),
    );
  });

  it('exists for every command, except those that print a script or nothing of their own', async () => {
    const commands = everyCommand(definitionOf(await wholeCommandLine()));
    const others = commands.filter(
      ({ options, commands: below, isImplied }) =>
        !isImplied && below.length === 0 && !options.some(({ flags }) => flags.includes('--json')),
    );
    expect(others.map(({ words }) => words.join(' '))).toEqual(['completion']);
  });

  it('has a schema for each object, and a command for each schema', () => {
    expect([...new Set(Object.values(printedBy).flat())].toSorted()).toEqual(Object.keys(outputs).toSorted());
  });

  it('is declared by every command that prints it, according to the types', () => {
    // Checked by the compiler; nothing is printed.
    const never = (): void => {
      // @ts-expect-error there is no such output
      printJson('nothing', {});
      // @ts-expect-error it is called files
      printJson('examples', { file: 'a' });
      // @ts-expect-error an output is named first
      printJson({ files: [] });
      printJson('examples', { files: [] });
    };
    expect(never).toBeTypeOf('function');
  });

  it('is printed without loading a schema', () => {
    const files = readdirSync(join(top, 'src/cli'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('outputs'),
    );
    const loading = files.filter((file) =>
      /^import (?!type).* from '[^']*outputs\/[^']*';$/m.test(
        readFileSync(join(top, 'src/cli', file), 'utf8'),
      ),
    );
    expect(loading).toEqual([]);
  });
});

describe('the published schemas', () => {
  it('are one file per output', () => {
    const folder = join(top, 'dist/schemas');
    const files = readdirSync(folder).map((file) => [
      file,
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    ]);
    expect(Object.fromEntries(files)).toEqual(
      Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name}.schema.json`, schema])),
    );
  });

  it.each(Object.keys(outputs))('are readable and describe objects: %s', (name) => {
    expect(schemas[name]).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: outputs[name as keyof typeof outputs].is,
    });
    for (const value of [null, [], 'text', {}])
      expect(publishedSchema(name).safeParse(value).success).toBe(false);
  });

  it('reject undeclared fields', () => {
    const open = parts.filter(
      ([, { properties, additionalProperties }]) =>
        properties !== undefined && additionalProperties !== false,
    );
    expect(open.map(([path]) => path)).toEqual([]);
  });

  it('name the units of measurements', () => {
    const units: readonly (readonly [RegExp, RegExp])[] = [
      [/(^ms|Ms)(\.\[\])?$/, /milliseconds/],
      [/(^bytes|Bytes)$/, /bytes/],
      [/(^effort|Effort)$/, /effort/],
      [/^days$/, /days/],
      [/^characters/, /characters/],
      [/[lL]evel$/, /unit of by|milliseconds, or units of effort/],
    ];
    const silent = parts.filter(([path, { type, description = '' }]) => {
      const name =
        path
          .replace(/\.\[\]$/, '')
          .split('.')
          .at(-1) ?? '';
      const isMeasure = type === 'number' || type === 'integer';
      return isMeasure && units.some(([field, unit]) => field.test(name) && !unit.test(description));
    });
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('match docs/json-fields.md; npx vitest run tests/cli/outputs.test.ts -u rewrites it', async () => {
    await expect(fieldsPage()).toMatchFileSnapshot(join(top, 'docs/json-fields.md'));
  });

  it('are listed in docs/json.md, with the commands that print them', () => {
    const page = readFileSync(join(top, 'docs/json.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `culprit ([^`]+)`(.*)$/gm)].map(([, command = '', rest = '']) => [
      command,
      [...rest.matchAll(/\[([a-z-]+)\]\(json-fields\.md#\1\)/g)].map(([, name]) => name),
    ]);
    expect(Object.fromEntries(rows)).toEqual(printedBy);
  });
});

describe('the check of printed lines in tests', () => {
  const args = ['examples', '--json'];

  it('accepts lines that match the schemas', () => {
    mustBeAsPublished(args, '{"files":["a"]}\n');
    mustBeAsPublished(args, '{"files":["a"]}\n{"fil');
    mustBeAsPublished(['examples'], 'a\n');
    mustBeAsPublished(['bisect', '--', '--json'], 'a\n');
  });

  it.each([
    ['a field too many', args, '{"files":[],"more":1}\n', 'more'],
    ['a field too few', args, '{}\n', 'files'],
    ['another kind of value', args, '{"files":[1]}\n', 'string'],
    ['something else beside it', args, '{"files":[]}\n1 file\n', 'not JSON'],
    ['a list', args, '[]\n', 'object'],
    ['what another command prints', ['doctor', '--json'], '{"files":[]}\n', 'not as doctor'],
  ])('refuses %s', (_, words, stdout, said) => {
    expect(() => mustBeAsPublished(words, stdout)).toThrow(said);
  });
});
