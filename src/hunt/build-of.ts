import type { Version } from '../solver/index.js';

/** What a version's name stood for: enough to notice that it stands for something else now. */
export function buildOf({ family, number, source, options, program }: Version): string {
  // Commits of one release all bear its number; where they are kept tells them apart.
  const which = source === 'git' && program.kind === 'native' ? ` ${program.command.join(' ')}` : '';
  return `${family} ${number} ${source}${which} ${JSON.stringify(options)}`;
}
