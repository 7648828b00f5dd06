/** The names of a module's own functions, in order, from its name section. */

import { sections } from './encoding.js';
import { ModuleReader, sectionsOf } from './module-reader.js';

const custom = 0;
const functionImport = 0;
const functionNamesKind = 1;

export function functionNames(bytes: Uint8Array): readonly (string | undefined)[] {
  const all = sectionsOf(bytes);
  const code = all.find(({ id }) => id === sections.code);
  const own = code === undefined ? 0 : new ModuleReader(bytes, code.start).unsigned();
  const names = new Array<string | undefined>(own).fill(undefined);
  const imported = importedFunctions(bytes);
  for (const { id, start, end } of all) {
    const reader = new ModuleReader(bytes, start);
    if (id !== custom || reader.text() !== 'name') continue;
    while (reader.at < end) {
      const kind = reader.byte();
      const next = reader.unsigned() + reader.at;
      if (kind === functionNamesKind)
        for (let left = reader.unsigned(); left > 0; left--) {
          const index = reader.unsigned() - imported;
          const name = reader.text();
          if (index >= 0 && index < own) names[index] = name;
        }
      reader.at = next;
    }
  }
  return names;
}

/** Imported functions come first in the numbering. */
function importedFunctions(bytes: Uint8Array): number {
  const section = sectionsOf(bytes).find(({ id }) => id === sections.import);
  if (section === undefined) return 0;
  const reader = new ModuleReader(bytes, section.start);
  let functions = 0;
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === functionImport) functions++;
    skipImport(reader, kind);
  }
  return functions;
}

function skipImport(reader: ModuleReader, kind: number): void {
  const limits = (): void => {
    const hasMost = (reader.byte() & 1) === 1;
    reader.unsigned();
    if (hasMost) reader.unsigned();
  };
  switch (kind) {
    case functionImport:
      reader.unsigned();
      return;
    case 1:
      reader.byte();
      limits();
      return;
    case 2:
      limits();
      return;
    case 3:
      reader.byte();
      reader.byte();
      return;
    default:
      reader.byte();
      reader.unsigned();
  }
}
