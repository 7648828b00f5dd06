/** Commands that work anywhere: for whoever reads a report without the finder's folders. */

import { Fault } from '../../machine/index.js';
import { shellWord } from '../../page/index.js';
import { engineOf, families, type KnownFamily, parseSpec } from '../../solver/index.js';

/** What a formula of a report is to be saved as. */
export const savedName = 'slow.smt2';

export interface PlainCall {
  readonly timeoutMs: number;
  readonly hasStrings?: boolean | undefined;
  readonly seed?: number | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
}

/**
 * The solver itself on a file, as its developers would call it.
 *
 * @example
 * plainCommand('cvc5', 'slow.smt2', { timeoutMs: 10_000, hasStrings: true }) // timeout 10 cvc5 --strings-exp slow.smt2
 */
export function plainCommand(
  family: KnownFamily,
  file: string,
  { timeoutMs, hasStrings = true, seed, options = {} }: PlainCall,
): string {
  const { byHand, strings, seed: seedWords, option } = families[family];
  const words = [
    ...['timeout', String(Math.ceil(timeoutMs / 1000)), engineOf[family], ...byHand],
    ...(hasStrings ? strings : []),
    ...(seed === undefined ? [] : seedWords(seed)),
    ...Object.entries(options).flatMap(([name, value]) => option(name, value)),
    file,
  ];
  return words.map(shellWord).join(' ');
}

/** A release's number and nothing else: npm would fetch whatever a stranger has written in its place. */
const releaseNumber = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** The culprit that found something, to be had from anywhere. */
export function packageCall(version: string): string {
  return releaseNumber.test(version) ? `npx culprit@${version}` : 'npx culprit';
}

/** A version that a campaign names, as whoever reads of it elsewhere understands it. */
export interface NamedElsewhere {
  /** Such as `z3@4.8.17`, or `z3 at commit 2c02264a94`. */
  readonly name: string;
  readonly family: KnownFamily | undefined;
  readonly options: Readonly<Record<string, string>>;
  /** It can be had anywhere by this name. */
  readonly isRelease: boolean;
}

/** @param build what the name stood for, such as `z3 4.8.17 pypi {}` */
export function namedElsewhere(version: string, build: string | undefined): NamedElsewhere {
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
