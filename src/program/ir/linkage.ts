/** Whose definition counts where several modules have one of a name. */

import type { MetadataId, SourceLine } from '../graph/index.js';
import type { IrModule, Linkage } from './module.js';

const strengths: Readonly<Record<Exclude<Linkage, 'local'>, number>> = { copy: 1, weak: 2, strong: 3 };

/** A definition that other modules can name. */
export interface Exported {
  readonly linkage: Exclude<Linkage, 'local'>;
  /** Where it is written; one file may be compiled twice, as for a static and a shared library. */
  readonly written: SourceLine;
}

/**
 * What becomes of a definition after another one: a linker takes the strongest, and the first of equals. Two strong
 * ones it would not take at all, so they are of several programs, and each is for its own module.
 */
export function standing(definition: Exported, before: Exported | undefined): 'taken' | 'dropped' | 'own' {
  const { linkage, written } = definition;
  if (before === undefined || strengths[linkage] > strengths[before.linkage]) return 'taken';
  if (linkage !== 'strong' || before.linkage !== 'strong') return 'dropped';
  return written.file === before.written.file && written.line === before.written.line ? 'dropped' : 'own';
}

const nowhere: SourceLine = { file: '', line: 0 };

/** Only strong ones are ever compared; the others are many, and are not looked up. */
export function definitionLine(
  module: IrModule,
  { linkage, subprogram }: { readonly linkage: Linkage; readonly subprogram?: MetadataId | undefined },
): SourceLine {
  if (linkage !== 'strong') return nowhere;
  const written = module.debug.subprogram(subprogram);
  if (written === undefined) return { file: module.sourceName, line: 0 };
  return { file: `${written.directory}/${written.file}`, line: written.line };
}

/** What is said of a definition for its own module. */
export function clashNote({ sourceName }: IrModule, name: string): string {
  return `${sourceName}: ${name} is defined by another module too: this one is called from here only`;
}
