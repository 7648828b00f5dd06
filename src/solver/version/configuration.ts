import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Fault, isOwn, isThere, lookUp, readInputText, usageFault } from '../../machine/index.js';
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

export const solversSchema = z.object({
  solvers: z
    .record(
      templateName,
      z.strictObject({
        command: z
          .array(z.string().min(1))
          .nonempty('the command needs at least the program')
          .describe('the program and its words; {file}, {seed}, {timeout} and {timeout-ms} are filled in'),
        dialect: z.enum(dialectNames).default('2.6').describe('how the solver spells the language'),
        version: z.string().min(1).default('unknown').describe('shown, and part of what is remembered of it'),
      }),
    )
    .default({})
    .describe('solvers that culprit does not know, by the names that --on takes'),
  mirrors: z
    .strictObject({
      debian: z
        .url({ protocol: /^(https?|file)$/ })
        .optional()
        .describe('the folder that holds dists/ and pool/'),
    })
    .default({})
    .describe('where packages are fetched from'),
});

/** Reads what `culprit.json` says about solvers, for somebody who stands in a folder. */
export async function readConfiguration(folder: string): Promise<Configuration | Fault> {
  const read = await readConfigured(folder, solversSchema, emptyConfiguration);
  const home = configurationFolder(folder);
  if (read instanceof Fault || home === folder) return read;
  // Paths in a file are meant from where it is.
  const solvers = Object.entries(read.solvers).map(([name, template]) => {
    const [program = '', ...words] = template.command;
    return [
      name,
      { ...template, command: [program.includes('/') ? resolve(home, program) : program, ...words] },
    ];
  });
  return { ...read, solvers: Object.fromEntries(solvers) };
}

const fileName = 'culprit.json';

/**
 * The folder whose `culprit.json` counts in a folder: itself, or the nearest above it that has one of this user's own.
 * Above may be a folder that everybody writes to, such as `/tmp`, and somebody else's file would name commands to run.
 */
export function configurationFolder(folder: string): string {
  if (isThere(join(folder, fileName))) return folder;
  for (let at = dirname(resolve(folder)); ; at = dirname(at)) {
    if (isOwn(join(at, fileName))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Written by hand, so never large. */
const mostConfigurationBytes = 4 << 20;

/** Reads the part of `culprit.json` a schema is about; without one, here or above, nothing is configured. */
export async function readConfigured<Part>(
  folder: string,
  schema: z.ZodType<Part>,
  empty: Part,
): Promise<Part | Fault> {
  const file = join(configurationFolder(folder), fileName);
  if (!isThere(file)) return empty;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return usageFault(
      `${file} is a folder: settings are read from a file of that name, so give the folder another one`,
    );
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
