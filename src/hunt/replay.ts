/** Replays a campaign's search from its journal, without solvers. */

import { CampaignFolder } from '../campaign/index.js';
import { Fault, type OnStep } from '../machine/index.js';
import { printScript } from '../smtlib/index.js';
import type { EventOf, HuntEvent } from './events.js';
import type { FormulaFailure } from './failures.js';
import { Hunt } from './hunt.js';
import { replayJournal } from './run-campaign.js';
import { settingsSchema } from './settings.js';
import type { Trial } from './strategy.js';

/** A formula that the search requested, with its result. */
export interface ReplayedTrial
  extends Pick<EventOf<'tried'>, 'lane' | 'runs'>,
    Pick<Trial, 'origin' | 'measuring'> {
  /** Since the campaign began. */
  readonly atMs: number;
  readonly text: string;
}

export interface Replayed {
  readonly formulas: number;
  readonly slowdowns: number;
  /** The first failure of culprit itself on a formula. */
  readonly failure: Error | undefined;
}

/** Regenerates every formula of a campaign from its seed and journal. */
export async function replayCampaign(
  path: string,
  onTrial?: (trial: ReplayedTrial) => void,
  onStep?: OnStep,
): Promise<Replayed | Fault> {
  const opened = await CampaignFolder.open(path, settingsSchema);
  if (opened instanceof Fault) return opened;
  const hunt = Hunt.of(opened.settings);
  if (hunt instanceof Fault) return hunt;
  let slowdowns = 0;
  // The trial is read before its result is applied, which replaces it.
  const trials = Array.from({ length: opened.settings.workers }, (_, lane) => hunt.trialOf(lane));
  const onEvent = (event: HuntEvent): void => {
    if (event.event === 'slowdown') slowdowns++;
    if (event.event !== 'tried') return;
    const total = Math.ceil(opened.settings.forMs / 1000);
    onStep?.({ step: 'replaying the hunt', done: Math.min(total, event.at / 1000), total, what: 'second' });
    const trial = trials[event.lane];
    trials[event.lane] = hunt.trialOf(event.lane);
    if (trial === undefined || onTrial === undefined) return;
    const { at, lane, runs } = event;
    const { origin, measuring, formula } = trial;
    onTrial({ atMs: at, lane, origin, measuring, text: printScript(formula), runs });
  };
  const played = await replayJournal(opened.folder, hunt, onEvent);
  if (played instanceof Fault) return played;
  return { formulas: hunt.triedCount, slowdowns, failure: causeOf(hunt.failures.first) };
}

function causeOf(failure: FormulaFailure | undefined): Error | undefined {
  return failure?.cause instanceof Error ? failure.cause : failure;
}
