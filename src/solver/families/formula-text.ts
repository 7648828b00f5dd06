import { Fault } from '../../machine/index.js';
import { type Command, printScript, type Script } from '../../smtlib/index.js';
import type { Conclusion } from '../run/run.js';
import type { FamilyName, Version } from '../version/version.js';

/** A formula in a version's own words, without what would send its answers elsewhere. */
export function textFor(formula: Script, version: Version): string | Fault {
  const logics = widerLogics[version.family] ?? {};
  const commands = formula.commands.filter(isHarmless).map((command): Command => {
    const wider = command.kind === 'set-logic' ? logics[command.logic] : undefined;
    return wider === undefined ? command : { kind: 'set-logic', logic: wider };
  });
  return printScript({ commands }, { dialect: version.dialect });
}

/** Logics that Z3 takes more widely: its formulas of QF_S compare lengths, which CVC only has in QF_SLIA. */
const widerLogics: Readonly<Partial<Record<FamilyName, Readonly<Record<string, string>>>>> = {
  cvc4: { QF_S: 'QF_SLIA' },
  cvc5: { QF_S: 'QF_SLIA' },
};

/** Formulas come from strangers: one may not name files for the solver to write to. */
const redirections: ReadonlySet<string> = new Set([
  ':regular-output-channel',
  ':diagnostic-output-channel',
  ':trace',
  ':trace-file-name',
  ':smtlib2-log',
  ':solver.smtlib2-log',
  ':proof.log',
  ':solver.proof.log',
  ':sat.drat.file',
  ':sat.smt.proof',
]);

function isHarmless(command: Command): boolean {
  return command.kind !== 'set-option' || !redirections.has(command.keyword.replaceAll('_', '-'));
}

/** A formula the version's dialect has no words for is not run at all. */
export function printed(text: string | Fault): string | Conclusion {
  return text instanceof Fault ? { outcome: 'unsupported', message: text.message } : text;
}
