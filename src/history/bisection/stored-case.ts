import { type Fault, LocatedFault, usageFault } from '../../machine/index.js';
import { readScript, type Script } from '../../smtlib/index.js';

/** The formula of a case from `campaign.json`, which someone may have changed. */
export function storedCase(name: string, text: string): Script | Fault {
  const read = readScript(text);
  return read instanceof LocatedFault
    ? usageFault(`the formula of ${name} is damaged: ${read.located}`)
    : read;
}
