/**
 * Measures how plain the English of docs, comments and test names is. Fails if a figure is above its limit in
 * prose-limits.json. `--update` lowers the limits to today's figures; `--list N` prints the N worst sentences of each kind.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const limitsFile = 'scripts/prose-limits.json';

/** Occurrences of these are counted per 1,000 words. */
const habits = {
  'what as a noun': /\b[Ww]hat\b(?![^.]*\?)/g,
  'told, said, asked': /\b(?:told|tells?|(?:is|are) said|ask(?:ed|s) for|made of|seen to)\b/g,
  'one that, nobody': /\b(?:ones? that|those that|whoever|nobody|somebody|whatever)\b/gi,
  'anew, beside':
    /\b(?:anew|beside|but for|all the same|in vain|at the most|at once, too|held against|goes? on with|taken? back|comes? to)\b/gi,
  'where for if': /\b[Ww]here (?:it|that|this|they|nothing|there|one|none|all|some|no)\b/g,
};
const opening = /^(?:What|Where|Whether|Of |Those|The same)\b/;
const indirectOpening = 'begin with What, Where, Of, Those (%)';

const isDoc = (file) => /^(?:(?:README|CONTRIBUTING|SECURITY)|docs\/(?!json-fields).*)\.md$/.test(file);
const isCode = (file) => /\.(?:ts|mjs|c|sh)$/.test(file);

/** Paragraphs and list items, without headings, tables and code. */
function* paragraphsOf(lines) {
  let paragraph = [];
  let isFenced = false;
  for (const line of [...lines, '']) {
    if (line.startsWith('```')) isFenced = !isFenced;
    const isOutside = isFenced || /^(?: {4}|\t|#|\||```|\s*$)/.test(line);
    const isItem = /^\s*(?:[-*]|\d+\.)\s/.test(line);
    if ((isOutside || isItem) && paragraph.length > 0) {
      yield paragraph.join(' ');
      paragraph = [];
    }
    if (!isOutside) paragraph.push(line.trim().replace(/^(?:[-*]|\d+\.)\s+/, ''));
  }
}

/** Comments that stand on lines of their own; neighbouring lines make one comment. */
function* commentsOf(lines, hasHashes) {
  const pattern = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|#(?!!| *include|[a-z]+ )) ?(?<text>.*?)(?:\*\/)?$/;
  let comment = [];
  for (const line of [...lines, '']) {
    const text = hasHashes || !/^\s*#/.test(line) ? pattern.exec(line)?.groups.text.trim() : undefined;
    if (text) comment.push(text);
    if ((text === undefined || /\*\/\s*$/.test(line)) && comment.length > 0) {
      yield comment.join(' ');
      comment = [];
    }
  }
}

function* testNamesOf(lines) {
  for (const line of lines) {
    const name = /^\s*(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*['"`](.+?)['"`]\s*,/.exec(line);
    if (name !== null) yield name[1];
  }
}

function readTexts() {
  const texts = { docs: [], comments: [], tests: [] };
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0');
  for (const file of files.filter((name) => (isDoc(name) || isCode(name)) && existsSync(name))) {
    const lines = readFileSync(file, 'utf8').split('\n');
    if (isDoc(file)) texts.docs.push(...paragraphsOf(lines));
    else texts.comments.push(...commentsOf(lines, /\.(?:c|sh)$/.test(file)));
    if (isCode(file) && file.startsWith('tests/')) texts.tests.push(...testNamesOf(lines));
  }
  for (const [kind, list] of Object.entries(texts))
    texts[kind] = list.map((text) => text.replace(/`[^`]*`/g, 'X'));
  return texts;
}

const wordsIn = (text) => text.match(/[A-Za-z'’-]+/g)?.length ?? 0;
const habitsIn = (text, habit) => text.match(habit)?.length ?? 0;
const sentencesOf = (texts) => texts.flatMap((text) => text.split(/(?<=[.!?])\s+(?=[A-Z])/));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const rounded = (number) => Number(number.toFixed(1));

function figuresOf(texts) {
  const words = sum(texts.map(wordsIn));
  const sizes = sentencesOf(texts)
    .map(wordsIn)
    .toSorted((a, b) => a - b);
  const figures = Object.entries(habits).map(([name, habit]) => [
    name,
    rounded((1000 * sum(texts.map((text) => habitsIn(text, habit)))) / words),
  ]);
  return {
    ...Object.fromEntries(figures),
    [indirectOpening]: rounded((100 * texts.filter((text) => opening.test(text)).length) / texts.length),
    'mean sentence': rounded(sum(sizes) / sizes.length),
    '90th percentile': sizes[Math.floor(sizes.length * 0.9)],
  };
}

function worstOf(texts, count) {
  const weight = (text) =>
    sum(Object.values(habits).map((habit) => habitsIn(text, habit))) + Math.max(0, wordsIn(text) - 30) / 10;
  return sentencesOf(texts)
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, count);
}

const { values } = parseArgs({ options: { update: { type: 'boolean' }, list: { type: 'string' } } });
const limits = existsSync(limitsFile) ? JSON.parse(readFileSync(limitsFile, 'utf8')) : {};
const texts = readTexts();
const figures = Object.fromEntries(Object.entries(texts).map(([kind, list]) => [kind, figuresOf(list)]));

if (values.list !== undefined) {
  for (const [kind, list] of Object.entries(texts)) {
    console.log(kind, figures[kind]);
    for (const sentence of worstOf(list, Number(values.list))) console.log(`  ${sentence.slice(0, 200)}`);
  }
} else if (values.update) {
  const lowered = (kind) =>
    Object.entries(figures[kind]).map(([name, figure]) => [
      name,
      Math.min(figure, limits[kind]?.[name] ?? figure),
    ]);
  const updated = Object.keys(figures).map((kind) => [kind, Object.fromEntries(lowered(kind))]);
  writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(updated), undefined, 2)}\n`);
} else {
  const above = Object.entries(figures).flatMap(([kind, all]) =>
    Object.entries(all)
      .filter(([name, figure]) => figure > (limits[kind]?.[name] ?? 0))
      .map(([name, figure]) => `prose of ${kind}: ${name} ${figure}, limit ${limits[kind]?.[name] ?? 0}`),
  );
  for (const line of above) console.error(line);
  if (above.length > 0) {
    console.error('npm run check: rewrite the sentences that `node scripts/prose.mjs --list 20` prints');
    process.exitCode = 1;
  }
}
