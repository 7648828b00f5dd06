import type { z } from 'zod';
import { Fault, usageFault } from '../fault.js';
import { gunzipped, readInput } from './input-file.js';

/**
 * What a command printed with `--json` into a file, a value a line, also packed by gzip. A last line that a kill has cut
 * off takes nothing of the others away.
 *
 * @param command which it was, for a message, such as `culprit run --json`
 * @param note told of what is left out
 */
export function readJsonLines<Value>(
  path: string,
  schema: z.ZodType<Value>,
  command: string,
  note?: (sentence: string) => void,
): readonly Value[] | Fault {
  const text = readJsonText(path);
  if (text instanceof Fault) return text;
  const values: Value[] = [];
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const json = parsedJson(line);
    if (json === undefined && at === lines.length - 1 && values.length > 0) {
      note?.(`${path}:${at + 1} was cut off and is left out`);
      continue;
    }
    const value = schema.safeParse(json);
    if (!value.success) return usageFault(`${path}:${at + 1} is no line of ${command}`);
    values.push(value.data);
  }
  return values.length > 0 ? values : usageFault(`${path} is empty: ${command} printed nothing into it`);
}

/** The text of such a file. */
export function readJsonText(path: string): string | Fault {
  const packed = readInput(path);
  if (packed instanceof Fault) return packed;
  const bytes = gunzipped(packed, path);
  return bytes instanceof Fault ? bytes : bytes.toString('utf8');
}

/** Undefined where it is not JSON. */
export function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
