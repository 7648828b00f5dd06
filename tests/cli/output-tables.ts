/** The fields of every output as docs/json-fields.md shows them, generated from the published schemas. */

import { outputJsonSchemas, outputs } from '../../src/cli/outputs/outputs.js';
import { printedBy } from '../../src/cli/outputs/printed-by.js';

/** The subset of JSON Schema that the outputs use. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export const schemas = outputJsonSchemas() as Readonly<Record<string, Schema>>;

export function fieldsPage(): string {
  const shared = new Map<string, Schema>();
  for (const { $defs = {} } of Object.values(schemas))
    for (const [name, schema] of Object.entries($defs)) shared.set(name, schema);
  const parts = [...shared].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    '# What `--json` prints, field by field',
    'This page is made from the schemas in `dist/schemas` of the package; [json.md](json.md) says which command prints what.',
    '`a.b` is the field `b` of the object in `a`, `a[]` is every item of a list, and `a.*` is every value of an object\n' +
      'whose keys are data. A field that is called optional is absent where there is nothing to say.',
    ...Object.entries(outputs).map(([name, { is }]) =>
      section(name, `${upper(is)}. Printed by ${commandsOf(name)}.`, schemas[name] ?? {}),
    ),
    '## Parts of several of them',
    ...parts.map(([name, schema]) => `#${section(name, `${upper(schema.title ?? '')}.`, schema)}`),
    '',
  ].join('\n\n');
}

function commandsOf(output: string): string {
  return Object.entries(printedBy)
    .filter(([, names]) => (names as readonly string[]).includes(output))
    .map(([command]) => `\`${command}\``)
    .join(', ');
}

function section(name: string, says: string, schema: Schema): string {
  const rows = rowsOf(schema, '').map(({ path, is, says }) => `| \`${path}\` | ${is} | ${cell(says)} |`);
  return [`## ${name}`, '', says, '', '| field | is | |', '| --- | --- | --- |', ...rows].join('\n');
}

interface Row {
  readonly path: string;
  readonly is: string;
  readonly says: string;
}

/** The fields of an object, parents first. */
function rowsOf(schema: Schema, path: string): readonly Row[] {
  return fieldsOf(schema).flatMap(({ key, isOptional, variants }) => {
    const place = path === '' ? key : `${path}.${key}`;
    const kinds = either(variants.map(kindOf));
    const says = unique(variants.flatMap(({ description }) => description ?? [])).join('; ');
    const row = { path: place, is: isOptional ? `${kinds}, optional` : kinds, says };
    return [row, ...unique(variants).flatMap((variant) => rowsBelow(variant, place))];
  });
}

function rowsBelow(schema: Schema, path: string): readonly Row[] {
  const { items, prefixItems, additionalProperties } = schema;
  if (typeof items === 'object') return rowsBelow(items, `${path}[]`);
  if (prefixItems !== undefined) return [];
  if (schema.properties === undefined && typeof additionalProperties === 'object')
    return rowsBelow(additionalProperties, `${path}.*`);
  return rowsOf(schema, path);
}

interface Field {
  readonly key: string;
  readonly isOptional: boolean;
  readonly variants: readonly Schema[];
}

/** The fields of all variants of an object. */
function fieldsOf(schema: Schema): readonly Field[] {
  const kinds = objectsIn(schema);
  const keys = unique(kinds.flatMap(({ properties = {} }) => Object.keys(properties)));
  return keys.map((key) => ({
    key,
    isOptional: !kinds.every(({ required = [] }) => required.includes(key)),
    variants: kinds.flatMap(({ properties = {} }) => properties[key] ?? []),
  }));
}

function objectsIn(schema: Schema): readonly Schema[] {
  const kinds = schema.oneOf ?? schema.anyOf;
  if (kinds !== undefined) return kinds.flatMap(objectsIn);
  return schema.properties === undefined ? [] : [schema];
}

/** The type in a few words. */
function kindOf(schema: Schema): string {
  const { $ref, type, items, prefixItems, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `[${name}](#${name})`;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${JSON.stringify(word)}\``).join(', ');
  const kinds = schema.oneOf ?? schema.anyOf;
  if (kinds !== undefined) return either(kinds.map(kindOf));
  if (typeof items === 'object') return `list of ${kindOf(items)}`;
  if (prefixItems !== undefined)
    return `list of ${prefixItems.length}: ${prefixItems.map(kindOf).join('; ')}`;
  if (schema.properties === undefined && typeof additionalProperties === 'object')
    return `object of ${kindOf(additionalProperties)}`;
  return type ?? 'anything';
}

/** Literal words are joined to one list. */
function either(kinds: readonly string[]): string {
  const isWord = (kind: string): boolean => kind.startsWith('`');
  return unique(kinds).join(kinds.every(isWord) ? ', ' : ' or ');
}

function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function upper(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
