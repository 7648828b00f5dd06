/** Every kind of page, rendered from synthetic data. */

import { changesPage, interactionsPage } from './change-pages.js';
import { explanationPage, slowdownPage } from './explanation-pages.js';
import { heatOfCalls, heatOfTwo } from './heat-pages.js';
import { emptyHunt, endlessHunt, ordinaryHunt } from './hunt-pages.js';
import { locationOfCalls, locationOfLines } from './location-pages.js';
import { bisection, runs } from './run-pages.js';
import {
  complexityStudy,
  detectionStudy,
  localizationStudy,
  multiObjectiveStudy,
  seedsStudy,
  timelines,
} from './study-pages.js';

/** Pages by name, as test names use them. */
export const madePages: Readonly<Record<string, () => string | Promise<string>>> = {
  'the page of a hunt': ordinaryHunt,
  'the page of a hunt with texts that have no end': endlessHunt,
  'the page of a hunt that has only begun': emptyHunt,
  'the page of a run': runs,
  'the page of a bisection': bisection,
  'the page of changes': changesPage,
  'the page of a change in a whole program': interactionsPage,
  'the page of what two runs executed': heatOfTwo,
  'the page of what two runs called': heatOfCalls,
  'the page of an explanation': explanationPage,
  'the page of what is to blame': locationOfLines,
  'the page of classes to blame': locationOfCalls,
  'the page of an explanation of a slowdown': slowdownPage,
  'the page of timelines': timelines,
  'the page of the study of complexity': complexityStudy,
  'the page of the study of strategies': detectionStudy,
  'the page of the study of variants': multiObjectiveStudy,
  'the page of the study of localization': localizationStudy,
  'the page of the study of seeds': seedsStudy,
};
