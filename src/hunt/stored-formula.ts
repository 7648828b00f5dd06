import { type Fault, LocatedFault, usageFault } from '../machine/index.js';
import { readScript, type Script } from '../smtlib/index.js';

/** Parses a formula from a campaign's files, which may be damaged. */
export function storedFormula(text: string): Script | Fault {
  const read = readScript(text);
  return read instanceof LocatedFault
    ? usageFault(`a formula of the campaign is damaged: ${read.message}`)
    : read;
}
