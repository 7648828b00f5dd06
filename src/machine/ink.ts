/** What a word means to a reader, for places that can show it. */
export type Style =
  /** What is to blame, and what got worse. */
  | 'bad'
  /** Somebody's answer is wrong. */
  | 'alarm'
  | 'good'
  /** Where nothing can be told for sure. */
  | 'doubtful'
  /** Titles of columns, and the name of what follows. */
  | 'title';

/**
 * Puts a style on words that have been made visible already.
 *
 * @example
 * ink('bad', 'slower') // 'slower', in red on a terminal
 */
export type Ink = (style: Style, text: string) => string;

/** For files, pipes and whoever wants no colours. */
export const noInk: Ink = (_, text) => text;
