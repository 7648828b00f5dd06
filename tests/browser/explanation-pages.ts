/** The page of `explain`. */

import { explanationHtml } from '../../src/report/index.js';
import { madeExplanation } from '../report/made-explanation.js';

export function explanationPage(): string {
  return explanationHtml(madeExplanation(), '1');
}
