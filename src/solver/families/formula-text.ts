import { Fault, lookUp } from '../../machine/index.js';
import { type Command, printScript, type Script } from '../../smtlib/index.js';
import type { Conclusion } from '../run/run.js';
import type { FamilyName, Version } from '../version/version.js';
import { allowedPart } from './allowed.js';

/** Prints a formula in a version's dialect, without forbidden parts (see `allowed.ts`). */
export function textFor(formula: Script, version: Version): string | Fault {
  const logics = widerLogics[version.family] ?? {};
  const commands = allowedPart(formula, version).commands.map((command): Command => {
    const wider = command.kind === 'set-logic' ? lookUp(logics, command.logic) : undefined;
    return wider === undefined ? command : { kind: 'set-logic', logic: wider };
  });
  return printScript({ commands }, { dialect: version.dialect });
}

/** Z3's QF_S includes lengths, which CVC has only in QF_SLIA. */
const widerLogics: Readonly<Partial<Record<FamilyName, Readonly<Record<string, string>>>>> = {
  cvc4: { QF_S: 'QF_SLIA' },
  cvc5: { QF_S: 'QF_SLIA' },
};

/** A formula that cannot be printed in the version's dialect counts as unsupported. */
export function orUnsupported(text: string | Fault): string | Conclusion {
  return text instanceof Fault ? { outcome: 'unsupported', message: text.message } : text;
}
