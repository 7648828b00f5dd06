/** The meaning of a word, for outputs that support colour. */
export type Style =
  /** Culprits and slowdowns. */
  | 'bad'
  /** A wrong answer. */
  | 'alarm'
  | 'good'
  /** Uncertain results. */
  | 'doubtful'
  /** Column titles and labels. */
  | 'title';

/**
 * Applies a style to text that is already escaped by `visible`.
 *
 * @example
 * ink('bad', 'slower') // 'slower', in red on a terminal
 */
export type Ink = (style: Style, text: string) => string;

/** For files, pipes and NO_COLOR. */
export const noInk: Ink = (_, text) => text;
