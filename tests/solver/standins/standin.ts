import { fileURLToPath } from 'node:url';
import { dialects, type Script } from '../../../src/smtlib/index.js';
import type { Version } from '../../../src/solver/version/version.js';

/** A stand-in solver of this folder, as a version; what it does stands in the script's first line. */
export function standin(name: string, ...words: readonly string[]): Version {
  const file = fileURLToPath(new URL(`${name}.sh`, import.meta.url));
  return custom(name, ['sh', file, ...words]);
}

export function custom(name: string, command: readonly string[]): Version {
  return {
    name,
    spec: name,
    family: 'custom',
    number: '0',
    source: 'template',
    program: { kind: 'native', command },
    options: {},
    dialect: dialects['2.6'],
  };
}

/** A formula with as many questions. */
export function asking(checkSats: number): Script {
  return { commands: Array.from({ length: checkSats }, () => ({ kind: 'check-sat' })) };
}
