/** Progress of the campaigns of a study. */

import { roughDuration, shellWord } from '../../../page/index.js';
import type { BegunCampaign, CampaignWatch } from '../../../study/index.js';
import { HuntProgress } from '../../screen/hunt-progress.js';
import type { Progress } from '../../screen/progress.js';

export class StudyCampaigns {
  #ended = 0;

  constructor(
    private readonly progress: Progress,
    private readonly plan: { readonly all: number; readonly repeats: number; readonly forMs: number },
  ) {}

  /** A campaign has ended. */
  end(): void {
    this.#ended++;
  }

  /** @param name the strategy, if nothing else distinguishes the campaigns */
  watch({ strategy, repeat, settings, folder }: BegunCampaign, name: string = strategy): CampaignWatch {
    const { all, repeats, forMs } = this.plan;
    const left = all - this.#ended - 1;
    const hunt = new HuntProgress(settings, {
      replay: `culprit hunt --replay ${shellWord(folder)}`,
      progress: this.progress,
      before: `campaign ${this.#ended + 1} of ${all} (${name}, ${repeat} of ${repeats}): `,
      after: (leftMs) => `; for all of them at least ${roughDuration(leftMs + left * forMs)} left`,
    });
    hunt.starting();
    return {
      onEvent: (event, state, collector) => hunt.show(event, state, collector),
      onReducing: (reduction) => hunt.showReduction(reduction),
    };
  }
}
