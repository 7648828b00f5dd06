/** The output formats of an explanation, for `explain` and `report`. */

import {
  type ExplanationView,
  explanationHtml,
  explanationJson,
  explanationMarkdown,
  explanationText,
} from '../../report/index.js';
import { packageVersion } from '../package-version.js';
import { CommandFailure } from '../screen/failure.js';
import { ink, print, printJson } from '../screen/terminal.js';
import { type ForceOption, mustBeWritable, putAndTell, standardOutput } from './named-output.js';

export interface ExplanationForms extends ForceOption {
  readonly html?: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** Checked before the long work. */
export async function mustTakeForms(options: ExplanationForms): Promise<void> {
  const { html, markdown, json } = options;
  if ([html === standardOutput, markdown === standardOutput, json].filter(Boolean).length > 1)
    throw new CommandFailure(2, 'only one form goes to standard output; name a file for the others');
  for (const file of [html, markdown]) await mustBeWritable(file, options);
}

/** @param isText also print text, unless something else goes to standard output */
export async function tellExplanation(
  view: ExplanationView,
  options: ExplanationForms,
  isText: boolean,
): Promise<void> {
  const { html, markdown, json } = options;
  if (json) printJson('explain', explanationJson(view));
  else if (isText && html !== standardOutput && markdown !== standardOutput)
    print(explanationText(view, ink));
  if (html !== undefined) await putAndTell(html, explanationHtml(view, packageVersion), options);
  if (markdown !== undefined) await putAndTell(markdown, explanationMarkdown(view), options);
}
