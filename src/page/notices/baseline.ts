/** What was known before, so that only what is new makes a check fail. */

import { z } from 'zod';
import { Fault, pathExists, readInputText, usageFault } from '../../machine/index.js';
import type { Notice } from './notice.js';

const schema = z.object({ format: z.literal(1), known: z.array(z.string()) });

/** The keys of notices that are known; none where there is no such file yet. */
export function readBaseline(path: string): ReadonlySet<string> | Fault {
  if (!pathExists(path)) return new Set();
  const text = readInputText(path, { maxBytes: 64 << 20 });
  if (text instanceof Fault) return text;
  const parsed = schema.safeParse(json(text));
  return parsed.success ? new Set(parsed.data.known) : usageFault(`${path} is no baseline of culprit`);
}

/** In order, a line each, so that it can be read and merged. */
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
