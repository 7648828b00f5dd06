/** Commands that work on any machine, for readers who do not have the reporter's folders. */

import { Fault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { engineOf, families, type KnownFamily, parseSpec } from '../../solver/index.js';

/** The file name under which a reader saves the formula. */
export const savedName = 'slow.smt2';

export interface PlainCommandOptions {
  readonly timeoutMs: number;
  readonly hasStrings?: boolean | undefined;
  readonly seed?: number | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
}

/**
 * The plain solver command, for developers without culprit.
 * @example plainCommand('cvc5', 'slow.smt2', { timeoutMs: 10_000, hasStrings: true }) // timeout 10 cvc5
 * --strings-exp slow.smt2
 */
export function plainCommand(
  family: KnownFamily,
  file: string,
  { timeoutMs, hasStrings = true, seed, options = {} }: PlainCommandOptions,
): string {
  const { manualArguments, strings, seed: seedWords, option } = families[family];
  const words = [
    ...['timeout', String(Math.ceil(timeoutMs / 1000)), engineOf[family], ...manualArguments],
    ...(hasStrings ? strings : []),
    ...(seed === undefined ? [] : seedWords(seed)),
    ...Object.entries(options).flatMap(([name, value]) => option(name, value)),
    file,
  ];
  return words.map(shellWord).join(' ');
}

/** Only a release number: with any other text from a campaign file, npm might fetch from elsewhere. */
const releaseNumber = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** The `npx` call of the culprit version that found something. */
export function npxCall(version: string): string {
  return releaseNumber.test(version) ? `npx culprit@${version}` : 'npx culprit';
}

/** A version of a campaign, named so that readers elsewhere understand it. */
export interface PortableVersion {
  /** Such as `z3@4.8.17`, or `z3 at commit 2c02264a94`. */
  readonly name: string;
  readonly family: KnownFamily | undefined;
  readonly options: Readonly<Record<string, string>>;
  /** culprit can download it by this name. */
  readonly isRelease: boolean;
}

/** @param build description of the build, such as `z3 4.8.17 pypi {}` */
export function portableVersion(version: string, build: string | undefined): PortableVersion {
  const spec = parseSpec(version);
  const [built] = (build ?? '').split(' ');
  const family = Object.keys(engineOf).find((name): name is KnownFamily => name === built);
  if (spec instanceof Fault) return { name: version, family, options: {}, isRelease: false };
  const { options } = spec;
  switch (spec.from) {
    case 'git':
      return { name: `${family ?? 'commit'} at ${spec.revision}`, family, options, isRelease: false };
    case 'path':
    case 'template':
      return { name: build?.split(' ').slice(0, 2).join(' ') ?? version, family, options, isRelease: false };
    default:
      return { name: version, family: spec.family, options, isRelease: true };
  }
}
