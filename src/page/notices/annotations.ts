/** Notices as GitHub workflow commands, which GitHub shows next to the code of a pull request. */

import { lookUp, visibleLine } from '../../machine/index.js';
import { type Notice, rules } from './notice.js';

export function annotation({ rule, message, place }: Notice): string {
  const { level, title } = rules[rule];
  const where =
    place === undefined ? [] : [`file=${property(place.file)}`, `line=${Math.max(1, place.line)}`];
  const properties = [...where, `title=${property(title)}`].join(',');
  return `::${level} ${properties}::${data(message)}`;
}

const escapes: Readonly<Record<string, string>> = { '%': '%25', ':': '%3A', ',': '%2C' };

/** Escapes the text so that it cannot start another command. */
function data(text: string): string {
  return visibleLine(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return visibleLine(text).replaceAll(/[%:,]/g, (letter) => lookUp(escapes, letter) ?? letter);
}
