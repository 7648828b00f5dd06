import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Fault, isOwnedByUser, lookUp, pathExists, readInputText, usageFault } from '../machine/index.js';
import { nearestName } from './nearest-name.js';

const fileName = 'culprit.json';
const mostBytes = 4 << 20;

/** All keys of `culprit.json`; `$schema` is for editors. */
const knownKeys: readonly string[] = ['$schema', 'solvers', 'mirrors', 'builders', 'triage'];

/** The content of a `culprit.json`, or of none. */
export interface ConfigurationFile {
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
  /** The keys that a schema describes, with its defaults for the missing ones. */
  section<Section>(schema: z.ZodType<Section>): Section | Fault;
}

/** Reads the `culprit.json` of a folder, or the nearest one above it that belongs to this user. */
export function readConfigurationFile(from: string): ConfigurationFile | Fault {
  const folder = folderOfFile(from);
  const file = join(folder, fileName);
  const content = pathExists(file) ? readJson(file) : {};
  if (content instanceof Fault) return content;
  return { folder, section: (schema) => readSection(file, content, schema) };
}

/**
 * A folder above may be writable for everybody, such as `/tmp`. A file of another user there is skipped, because it
 * names commands to run.
 */
function folderOfFile(from: string): string {
  if (pathExists(join(from, fileName))) return from;
  for (let folder = dirname(resolve(from)); ; folder = dirname(folder)) {
    if (isOwnedByUser(join(folder, fileName))) return folder;
    if (dirname(folder) === folder) return from;
  }
}

function readJson(file: string): unknown {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return usageFault(
      `${file} is a folder, but culprit reads its settings from a file of that name: rename it`,
    );
  const text = readInputText(file, { maxBytes: mostBytes });
  if (text instanceof Fault) return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return usageFault(`${file} is not JSON: ${(error as Error).message}`);
  }
  const unknown = isObject(json) ? Object.keys(json).find((key) => !knownKeys.includes(key)) : undefined;
  return unknown === undefined ? json : unknownKey(file, unknown, knownKeys);
}

function readSection<Section>(file: string, json: unknown, schema: z.ZodType<Section>): Section | Fault {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  if (issue?.code === 'unrecognized_keys')
    return unknownKey(`${file}: ${place}`, issue.keys[0] ?? '', keysAt(schema, issue.path));
  return usageFault(`${file}: ${place}: ${issue?.message ?? 'not as expected'}`);
}

function unknownKey(place: string, key: string, known: readonly string[]): Fault {
  const near = nearestName(key, known);
  const hint = near === undefined ? `there are ${known.join(', ')}` : `did you mean "${near}"?`;
  return usageFault(`${place}: "${key}" is not known: ${hint}`);
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The keywords of a JSON schema that have schemas below them. */
interface SchemaPart {
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

/** The keys of the object that a schema expects at a path. */
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
