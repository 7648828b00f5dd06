import { join } from 'node:path';
import { z } from 'zod';
import { Fault, isThere, lookUp, readInputText, usageFault } from '../../machine/index.js';
import { type DialectName, dialects } from '../../smtlib/index.js';
import { nearestName } from './nearest.js';
import { familyNames } from './spec.js';

/** A solver culprit does not know by itself, called by a command the user wrote down. */
interface Template {
  /** The argument vector, with placeholders such as `{file}` and `{seed}` to fill in on every run. */
  readonly command: readonly string[];
  readonly dialect: DialectName;
  readonly version: string;
}

/** What `culprit.json` may say about solvers. */
export interface Configuration {
  readonly solvers: Readonly<Record<string, Template>>;
  readonly mirrors: { readonly debian?: string | undefined };
}

export const emptyConfiguration: Configuration = { solvers: {}, mirrors: {} };

const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];

const templateName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, 'a name is made of letters, digits and ". _ -"')
  .refine(
    (name) => !familyNames.some((family) => family === name),
    'the name of a known family cannot be used again',
  );

const schema = z.object({
  solvers: z
    .record(
      templateName,
      z.strictObject({
        command: z.array(z.string().min(1)).nonempty('the command needs at least the program'),
        dialect: z.enum(dialectNames).default('2.6'),
        version: z.string().min(1).default('unknown'),
      }),
    )
    .default({}),
  mirrors: z.strictObject({ debian: z.url({ protocol: /^(https?|file)$/ }).optional() }).default({}),
});

/** Reads what `culprit.json` in a folder says about solvers. */
export function readConfiguration(folder: string): Promise<Configuration | Fault> {
  return readConfigured(folder, schema, emptyConfiguration);
}

/** Written by hand, so never large. */
const mostConfigurationBytes = 4 << 20;

/** Reads the part of `culprit.json` a schema is about; a folder without one has nothing configured. */
export async function readConfigured<Part>(
  folder: string,
  schema: z.ZodType<Part>,
  empty: Part,
): Promise<Part | Fault> {
  const file = join(folder, 'culprit.json');
  if (!isThere(file)) return empty;
  const text = readInputText(file, { mostBytes: mostConfigurationBytes });
  if (text instanceof Fault) return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return usageFault(`${file} is not JSON: ${(error as Error).message}`);
  }
  const unknown = Object.keys(json ?? {}).find((key) => !configurationKeys.includes(key));
  if (isObject(json) && unknown !== undefined) return unknownKey(file, unknown, configurationKeys);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  if (issue?.code === 'unrecognized_keys')
    return unknownKey(`${file}: ${place}`, issue.keys[0] ?? '', keysAt(schema, issue.path));
  return usageFault(`${file}: ${place}: ${issue?.message ?? 'not as expected'}`);
}

/** All that may stand in `culprit.json`, whoever reads it; `$schema` is for editors. */
const configurationKeys: readonly string[] = ['$schema', 'solvers', 'mirrors', 'builders', 'triage'];

function unknownKey(where: string, key: string, known: readonly string[]): Fault {
  const near = nearestName(key, known);
  const meant = near === undefined ? `there are ${known.join(', ')}` : `did you mean "${near}"?`;
  return usageFault(`${where}: "${key}" is not known: ${meant}`);
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** What of a JSON schema leads further down. */
interface SchemaPart {
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

/** The keys of the object that a schema expects somewhere. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: SchemaPart = z.toJSONSchema(schema, { io: 'input' });
  for (const step of path) {
    const { items, properties = {}, additionalProperties } = at;
    const next =
      typeof step === 'number' ? items : (lookUp(properties, String(step)) ?? additionalProperties);
    at = isObject(next) ? next : {};
  }
  return Object.keys(at.properties ?? {});
}
