import type { z } from 'zod';
import { Fault, readInput, unpacked, usageFault } from '../machine/index.js';

/**
 * What a command printed with `--json` into a file, a value a line, also packed by gzip.
 *
 * @param command which it was, for a message
 */
export function readJsonLines<Value>(
  path: string,
  schema: z.ZodType<Value>,
  command: string,
): readonly Value[] | Fault {
  const text = readJsonText(path);
  if (text instanceof Fault) return text;
  const values: Value[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = schema.safeParse(parsedJson(line));
    if (!value.success) return usageFault(`${path}:${at + 1} is no line of culprit ${command} --json`);
    values.push(value.data);
  }
  return values.length > 0
    ? values
    : usageFault(`${path} is empty: culprit ${command} --json printed nothing into it`);
}

/** The text of such a file. */
export function readJsonText(path: string): string | Fault {
  const packed = readInput(path);
  if (packed instanceof Fault) return packed;
  const bytes = unpacked(packed, path);
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
