/** The values that a shell can offer. */

import { lookUp } from '../../machine/index.js';
import type { DefinedValue } from '../definition.js';

export interface Offered {
  readonly kind: 'choices' | OfferedKind;
  readonly choices: readonly string[];
}

/** `versions` is a list separated by commas. `nothing`: only the user knows the value. */
type OfferedKind = 'files' | 'folders' | 'version' | 'versions' | 'nothing';

/** By the placeholder in the help. */
export const offeredKinds: Readonly<Record<string, OfferedKind>> = {
  after: 'files',
  before: 'files',
  built: 'files',
  campaign: 'folders',
  case: 'files',
  change: 'nothing',
  code: 'nothing',
  'column=number': 'nothing',
  command: 'files',
  commits: 'nothing',
  difference: 'nothing',
  factor: 'nothing',
  file: 'files',
  'file:line': 'files',
  folder: 'folders',
  formula: 'files',
  ids: 'nothing',
  labels: 'files',
  list: 'nothing',
  n: 'nothing',
  name: 'nothing',
  'name=path': 'files',
  'name=value': 'nothing',
  'old-and-new': 'folders',
  other: 'files',
  path: 'files',
  program: 'files',
  repositories: 'nothing',
  revision: 'nothing',
  share: 'nothing',
  size: 'nothing',
  spec: 'version',
  'strategy.name=value': 'nothing',
  text: 'nothing',
  time: 'nothing',
  version: 'version',
  versions: 'versions',
};

export function offeredFor({ name, choices }: DefinedValue): Offered {
  if (choices !== undefined) return { kind: 'choices', choices };
  return { kind: lookUp(offeredKinds, name) ?? 'nothing', choices: [] };
}
