/** Checks the output of commands with `--json` against the published schemas. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { printedBy } from '../../src/cli/outputs/printed-by.js';
import { needsTools } from '../needs.js';

needsTools('build');

/** Throws if a call printed a line that does not match one of its command's outputs. */
export function mustBeAsPublished(args: readonly string[], stdout: string): void {
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  if (!options.includes('--json') || options.includes('--help')) return;
  const names = outputsOf(args);
  // Text after the last line break was cut off.
  for (const line of stdout.split('\n').slice(0, -1)) {
    const problem = problemOf(line, names);
    if (problem !== undefined)
      throw new Error(`culprit ${args.join(' ')} printed ${line.slice(0, 2000)}\n${problem}`);
  }
}

function outputsOf(args: readonly string[]): readonly string[] {
  const found = Object.entries(printedBy).find(([command]) =>
    command.split(' ').every((word, at) => args[at] === word),
  );
  return found?.[1] ?? [];
}

function problemOf(line: string, names: readonly string[]): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'which is not JSON';
  }
  const problems = names.map((name) => ({ name, error: publishedSchema(name).safeParse(value).error }));
  if (problems.some(({ error }) => error === undefined)) return undefined;
  return problems
    .map(({ name, error }) => `not as ${name}: ${error === undefined ? '' : z.prettifyError(error)}`)
    .join('\n');
}

const read = new Map<string, z.ZodType>();

/** With the schemas of the package. */
export function publishedSchema(name: string): z.ZodType {
  let schema = read.get(name);
  if (schema === undefined) {
    const file = fileURLToPath(new URL(`../../dist/schemas/${name}.schema.json`, import.meta.url));
    schema = z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')));
    read.set(name, schema);
  }
  return schema;
}
