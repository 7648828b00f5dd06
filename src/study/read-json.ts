import type { z } from 'zod';
import { Fault, readInputText, usageFault } from '../machine/index.js';

/** Reads a JSON file that a user wrote. */
export function readJson<Value>(path: string, schema: z.ZodType<Value>, maxBytes: number): Value | Fault {
  const text = readInputText(path, { maxBytes });
  if (text instanceof Fault) return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return usageFault(`${path} is not JSON: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return usageFault(
    `${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not as expected'}`,
  );
}
