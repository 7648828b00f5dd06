/** An explanation as text for an issue tracker. */

import { code, count, counted, fenced, markdownTable } from '../../page/index.js';
import { causeTreeText } from './cause-tree.js';
import {
  changeHeading,
  diffOf,
  type ExplanationView,
  explainCommandText,
  patchText,
  repairText,
  searchedText,
  shortNames,
  slowdownText,
  stayingNote,
} from './explanation.js';

/** Trackers accept about 64,000 characters. The folder has the patch too. */
const mostPatchLetters = 20_000;
/** Maximum number of listed functions. */
const mostFunctions = 15;
/** Maximum number of lines of the tree of causes. */
const mostTreeLines = 200;

export function explanationMarkdown({ settings, explanation }: ExplanationView): string {
  const { blamed, auxiliary, carriers, causes, tree, effort, isRepaired, notes } = explanation;
  const treeLines = tree === undefined ? [] : causeTreeText(tree);
  const more = treeLines.length - mostTreeLines;
  const shownTree = more > 0 ? [...treeLines.slice(0, mostTreeLines), `… ${more} more lines`] : treeLines;
  const patch = patchText(explanation);
  const grown = explanation.slowdown?.functions.slice(0, mostFunctions) ?? [];
  const [old, next] = shortNames(settings);
  const slowdown = slowdownText({ settings, explanation });
  const list = (changes: typeof carriers): string =>
    changes.map((change) => `- ${code(changeHeading(change))}`).join('\n');
  const parts = [
    `# ${counted(blamed.length, 'change')} to blame between ${code(old)} and ${code(next)}`,
    ...(causes === undefined
      ? []
      : [
          `It does ${code(causes.does)}${causes.at === undefined ? '' : ` at ${code(causes.at)}`}${causes.instead === undefined ? '' : ` instead of ${code(causes.instead)}`}.`,
        ]),
    ...(slowdown === undefined ? [] : [`${slowdown.charAt(0).toUpperCase()}${slowdown.slice(1)}.`]),
    ...blamed.flatMap((change) => [
      `${code(changeHeading(change))}${stayingNote(change)}`,
      fenced('diff', diffOf(change)),
    ]),
    `Of ${searchedText(explanation)}; ${repairText(isRepaired)}.`,
    ...(grown.length === 0
      ? []
      : [
          'Functions that execute more lines:',
          markdownTable(
            ['before', 'after', 'function', 'file'],
            grown.map(({ file, name, before, after }) => [
              count(before),
              count(after),
              code(name),
              code(file),
            ]),
          ),
        ]),
    ...(tree === undefined ? [] : ['Why:', fenced('', shownTree.join('\n'))]),
    ...(carriers.length === 0 ? [] : ['Passed on by changes that need not be reverted:', list(carriers)]),
    ...(auxiliary.length === 0 ? [] : ['To be reverted with it, so that it compiles:', list(auxiliary)]),
    ...(patch.length > mostPatchLetters
      ? []
      : [`<details><summary>The patch that reverts it</summary>\n\n${fenced('diff', patch)}\n\n</details>`]),
    ...notes.map((note) => `Note: ${code(note)}`),
    `Found by ${code(`culprit ${settings.culprit}`)} with ${counted(effort.builds, 'build')} and ${counted(effort.tests, 'test run')}:`,
    fenced('sh', explainCommandText(settings)),
  ];
  return `${parts.join('\n\n')}\n`;
}
