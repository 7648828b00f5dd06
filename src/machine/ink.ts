/** The meaning of a word, for outputs that support colour. */
export type Style = 'bad' | 'alarm' | 'good' | 'doubtful' | 'title';

/**
 * Applies a style to text that is already escaped by `visible`.
 *
 * @example
 * ink('bad', 'slower') // 'slower', in red on a terminal
 */
export type Ink = (style: Style, text: string) => string;

export const noInk: Ink = (_, text) => text;
