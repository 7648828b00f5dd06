import type { Version } from '../solver/index.js';

/** A text that identifies a version's build, to detect that its name now means another build. */
export function buildIdentity({ family, number, source, options, program }: Version): string {
  // Commits of one release share its number; their paths differ.
  const which = source === 'git' && program.kind === 'native' ? ` ${program.command.join(' ')}` : '';
  return `${family} ${number} ${source}${which} ${JSON.stringify(options)}`;
}
