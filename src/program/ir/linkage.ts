/** Chooses the definition of a name that several modules define. */

import type { MetadataId, SourceLine } from '../graph/index.js';
import type { IrModule, Linkage } from './module.js';

const strengths: Readonly<Record<Exclude<Linkage, 'local'>, number>> = { copy: 1, weak: 2, strong: 3 };

/** A definition that other modules can use by name. */
export interface ExportedDefinition {
  readonly linkage: Exclude<Linkage, 'local'>;
  /** Position in the source. One file may be compiled twice, for example for a static and a shared library. */
  readonly written: SourceLine;
}

/**
 * Compares a definition with an earlier one of the same name. As in a linker, the strongest is taken, and the first
 * of equals. A linker rejects two strong ones, so they belong to different programs, and each is used in its own
 * module.
 */
export function resolveClash(
  definition: ExportedDefinition,
  before: ExportedDefinition | undefined,
): 'taken' | 'dropped' | 'own' {
  const { linkage, written } = definition;
  if (before === undefined || strengths[linkage] > strengths[before.linkage]) return 'taken';
  if (linkage !== 'strong' || before.linkage !== 'strong') return 'dropped';
  return written.file === before.written.file && written.line === before.written.line ? 'dropped' : 'own';
}

const unknownLine: SourceLine = { file: '', line: 0 };

/** Reads the line of strong definitions only; the others are many and never compared. */
export function definitionLine(
  module: IrModule,
  { linkage, subprogram }: { readonly linkage: Linkage; readonly subprogram?: MetadataId | undefined },
): SourceLine {
  if (linkage !== 'strong') return unknownLine;
  const written = module.debug.subprogram(subprogram);
  if (written === undefined) return { file: module.sourceName, line: 0 };
  return { file: `${written.directory}/${written.file}`, line: written.line };
}

/** Note about a definition that is used in its own module only. */
export function clashNote({ sourceName }: IrModule, name: string): string {
  return `${sourceName}: ${name} is also defined by another module: this definition is called from here only`;
}
