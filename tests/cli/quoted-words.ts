/** Parses words as shells do, as far as the generated scripts need it. */

/** A quoting rule: returns the length and the meaning, or undefined if the text does not begin with it. */
type Reader = (rest: string) => { readonly length: number; readonly means: string } | undefined;

function reader(pattern: RegExp, meaning: (inner: string) => string): Reader {
  return (rest) => {
    const found = pattern.exec(rest);
    return found === null ? undefined : { length: found[0].length, means: meaning(found[1] ?? '') };
  };
}

const asItIs = (inner: string): string => inner;
const octal = (inner: string): string =>
  inner.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

const zsh: readonly Reader[] = [
  reader(/^\$'([^']*)'/su, octal),
  reader(/^'([^']*)'/su, asItIs),
  reader(/^\\(.)/su, asItIs),
  reader(/^(\S)/su, asItIs),
];

const fish: readonly Reader[] = [
  reader(/^'((?:\\.|[^'\\])*)'/su, (inner) => inner.replaceAll(/\\(['\\])/g, '$1')),
  reader(/^(\S)/su, asItIs),
];

function wordsOf(text: string, readers: readonly Reader[]): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const read = readers.map((read) => read(rest)).find((found) => found !== undefined);
    if (read !== undefined) word = (word ?? '') + read.means;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
    at += read?.length ?? 1;
  }
  return word === undefined ? words : [...words, word];
}

export const zshWords = (text: string): readonly string[] => wordsOf(text, zsh);
export const fishWords = (text: string): readonly string[] => wordsOf(text, fish);
