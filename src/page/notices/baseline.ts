/** The baseline file: keys of known notices, so that a check fails only on new ones. */

import { z } from 'zod';
import { Fault, pathExists, readInputText, usageFault } from '../../machine/index.js';
import type { Notice } from './notice.js';

const schema = z.object({ format: z.literal(1), known: z.array(z.string()) });

/** The keys in the file; empty if it does not exist. */
export function readBaseline(path: string): ReadonlySet<string> | Fault {
  if (!pathExists(path)) return new Set();
  const text = readInputText(path, { maxBytes: 64 << 20 });
  if (text instanceof Fault) return text;
  const parsed = schema.safeParse(json(text));
  return parsed.success ? new Set(parsed.data.known) : usageFault(`${path} is not a baseline of culprit`);
}

/** Sorted, one key a line, so that the file can be diffed and merged. */
export function baselineText(notices: readonly Notice[]): string {
  const known = [...new Set(notices.map(({ key }) => key))].toSorted();
  return `${JSON.stringify({ format: 1, known }, undefined, 2)}\n`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
