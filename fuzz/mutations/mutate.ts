import type { Random } from '../../src/machine/index.js';
import { changeJson } from './json-mutations.js';
import { largest, type Mutation, textMutations } from './text-mutations.js';

export type Language = 'text' | 'json';

const mutations: Readonly<Record<Language, readonly Mutation[]>> = {
  text: Object.values(textMutations),
  // Invalid JSON is rejected at once, so most mutations keep it valid.
  json: [...Object.values(textMutations), ...Array.from({ length: 40 }, () => changeJson)],
};

/** One of the inputs after a few mutations, sometimes after none. */
export function mutateInput(inputs: readonly string[], random: Random, language: Language = 'text'): string {
  let text = random.pick(inputs);
  for (let left = random.below(5); left > 0; left--)
    text = random.pick(mutations[language])(text, random, inputs).slice(0, largest);
  return text;
}
