import { type Fault, LocatedFault, usageFault } from '../machine/index.js';
import { readScript, type Script } from '../smtlib/index.js';

/** A formula from a campaign's files, which someone may have changed. */
export function storedFormula(text: string): Script | Fault {
  const read = readScript(text);
  return read instanceof LocatedFault
    ? usageFault(`a formula of the campaign is damaged: ${read.message}`)
    : read;
}
