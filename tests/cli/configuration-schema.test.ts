import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { configurationJsonSchema } from '../../src/cli/configuration-schema.js';
import { Fault } from '../../src/machine/index.js';
import { readSolverConfiguration } from '../../src/solver/version/configuration.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('build');

const schema = configurationJsonSchema() as { properties: Record<string, object> };

it('the schema of culprit.json accepts exactly the known keys', () => {
  const folder = temporaryFolder('schema');
  const answerTo = (content: object): string => {
    writeFileSync(join(folder, 'culprit.json'), JSON.stringify(content));
    const read = readSolverConfiguration(folder);
    return read instanceof Fault ? read.message : 'taken';
  };
  const empty: Record<string, unknown> = { $schema: '', triage: [] };
  for (const key of Object.keys(schema.properties))
    expect(answerTo({ [key]: empty[key] ?? {} }), key).toBe('taken');
  expect(answerTo({ others: 1 })).toContain(Object.keys(schema.properties).join(', '));
});

it('the schema of culprit.json describes every key', () => {
  const undescribed: string[] = [];
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('properties' in part) {
      for (const [key, value] of Object.entries(part.properties as object)) {
        const place = `${path}.${key}`;
        if (!('description' in value)) undescribed.push(place);
        walk(value, place);
      }
    }
    if ('additionalProperties' in part) walk(part.additionalProperties, `${path}.*`);
    if ('items' in part) walk(part.items, `${path}[]`);
  };
  walk(schema, '');
  expect(undescribed).toEqual(['.$schema', '.triage[].means']);
});

it('the build writes the schema to the documented path', () => {
  const built = fileURLToPath(new URL('../../dist/culprit.schema.json', import.meta.url));
  expect(JSON.parse(readFileSync(built, 'utf8'))).toEqual(schema);
});
