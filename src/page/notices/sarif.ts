/** Notices as SARIF 2.1.0, which GitHub, GitLab and editors read. */

import { visibleLine } from '../../machine/index.js';
import { type Notice, type RuleName, rules } from './notice.js';

/** @param isKnown whether the baseline has the notice */
export function sarif(
  notices: readonly Notice[],
  version: string,
  isKnown: (notice: Notice) => boolean = () => false,
): string {
  const used = [...new Set(notices.map(({ rule }) => rule))].toSorted();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'culprit', version, rules: used.map(ruleEntry) } },
        results: notices.map((notice) => resultEntry(notice, used.indexOf(notice.rule), isKnown(notice))),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleEntry(id: RuleName): object {
  const { level, title, description } = rules[id];
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: description },
    defaultConfiguration: { level },
  };
}

function resultEntry({ rule, message, place, key }: Notice, ruleIndex: number, isKnown: boolean): object {
  return {
    ruleId: rule,
    ruleIndex,
    level: rules[rule].level,
    message: { text: visibleLine(message) },
    locations: place === undefined ? [] : [locationOf(place)],
    partialFingerprints: { 'culprit/v1': key },
    baselineState: isKnown ? 'unchanged' : 'new',
  };
}

function locationOf({ file, line }: NonNullable<Notice['place']>): object {
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: Math.max(1, line) } } };
}
