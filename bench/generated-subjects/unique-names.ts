/** Unique names for generated programs. */

import type { Random } from '../../src/machine/index.js';

const stems =
  'amber anchor basin beacon birch bolt brook candle canyon cedar chart cliff cloud comet coral crane delta drift dune ' +
  'ember falcon fern flint forge frost garnet glade grove harbor hazel heron hollow iris ivory jade juniper kelp lagoon ' +
  'lantern larch ledge linen lotus maple marble meadow mesa mint moss nectar oak onyx orbit otter pebble pine plume ' +
  'prairie quartz quill raven reed ridge river rowan saddle sage shale slate sorrel spruce summit swift thistle tide ' +
  'timber topaz trail tundra umber valley velvet violet walnut willow wren yarrow zephyr';

export class UniqueNames {
  readonly #stems = stems.split(' ');
  #given = 0;

  constructor(private readonly random: Random) {}

  next(): string {
    const stem = this.random.pick(this.#stems);
    this.#given += 1;
    return `${stem}${this.#given}`;
  }
}
