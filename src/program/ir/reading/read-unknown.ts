import { Scanner } from './scanner.js';

/** What is known of an unreadable instruction. */
export interface UnknownParts {
  /** Names of the globals in it, each once. */
  readonly names: readonly string[];
  /** It may call any of the names. */
  readonly isCall: boolean;
}

const callOpcodes: ReadonlySet<string> = new Set(['call', 'invoke', 'callbr']);

export function readUnknown(text: string): UnknownParts {
  const names = new Set<string>();
  let isCall = false;
  for (const scanner = new Scanner(text); scanner.kind !== 'end'; scanner.advance()) {
    if (scanner.kind === 'global') names.add(scanner.text);
    if (scanner.kind === 'word' && callOpcodes.has(scanner.text)) isCall = true;
  }
  return { names: [...names], isCall };
}
