import { Fault, lookUp } from '../../machine/index.js';
import { type Command, printScript, type Script } from '../../smtlib/index.js';
import type { Conclusion } from '../run/run.js';
import type { FamilyName, Version } from '../version/version.js';
import { allowedPart } from './allowed.js';

/** A formula in a version's own words, without what a stranger's formula may not ask of it (see `allowed.ts`). */
export function textFor(formula: Script, version: Version): string | Fault {
  const logics = widerLogics[version.family] ?? {};
  const commands = allowedPart(formula, version).commands.map((command): Command => {
    const wider = command.kind === 'set-logic' ? lookUp(logics, command.logic) : undefined;
    return wider === undefined ? command : { kind: 'set-logic', logic: wider };
  });
  return printScript({ commands }, { dialect: version.dialect });
}

/** Logics that Z3 takes more widely: its formulas of QF_S compare lengths, which CVC only has in QF_SLIA. */
const widerLogics: Readonly<Partial<Record<FamilyName, Readonly<Record<string, string>>>>> = {
  cvc4: { QF_S: 'QF_SLIA' },
  cvc5: { QF_S: 'QF_SLIA' },
};

/** A formula the version's dialect has no words for is not run at all. */
export function printed(text: string | Fault): string | Conclusion {
  return text instanceof Fault ? { outcome: 'unsupported', message: text.message } : text;
}
