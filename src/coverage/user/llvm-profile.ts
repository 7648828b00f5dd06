/** A profile of clang's source-based coverage and the program it is of: what llvm-cov would say of all of it. */

import { resolve } from 'node:path';
import { Breath, elfContents, Fault, readInput, usageFault } from '../../machine/index.js';
import { type MappedFunction, readCoverageMap } from '../llvm/coverage-map.js';
import { functionNames } from '../llvm/function-names.js';
import { type Profile, readProfile } from '../llvm/profile.js';
import { type CountedRegion, countedRegions } from '../llvm/region-counts.js';
import { lineCounts } from '../llvm/region-lines.js';
import type { ReadCounters } from './counted-build.js';

/** A program with its debug information may be large. */
const mostBytes = 4 * 2 ** 30 - 1;

export async function readLlvmProfile(
  profileFile: string,
  program: string,
  signal: AbortSignal,
): Promise<ReadCounters | Fault> {
  const profileBytes = readInput(profileFile);
  if (profileBytes instanceof Fault) return profileBytes;
  const profile = readProfile(profileBytes);
  if (profile instanceof Fault) return usageFault(`${profileFile} cannot be read: ${profile.message}`);
  const bytes = readInput(program, { mostBytes });
  if (bytes instanceof Fault) return bytes;
  const mapped = await mapOf(bytes);
  if (mapped instanceof Fault) return usageFault(`${program} cannot be read: ${mapped.message}`);
  if (mapped === undefined)
    return usageFault(
      `${program} has no coverage map: compile with clang -fprofile-instr-generate -fcoverage-mapping`,
    );
  const counted = countsOf(mapped.functions, profile);
  if (counted.known === 0 && counted.other > 0)
    return usageFault(`${profileFile} is of another build than ${program}: run the program again`);
  const faults =
    counted.other === 0
      ? []
      : [
          usageFault(
            `${counted.other} functions of ${program} are others than those that ${profileFile} is of, and are left out`,
          ),
        ];
  const breath = new Breath(signal);
  const files = new Map<string, number[]>();
  const executed = new Map<string, ReadonlyMap<number, number>>();
  const regions = { whole: 0, executed: 0 };
  for (const [file, own] of counted.regions) {
    if (breath.isDue) await breath.taken();
    for (const isExecuted of codeRegions(own).values()) {
      regions.whole++;
      if (isExecuted) regions.executed++;
    }
    const lines = lineCounts(own);
    if (lines.size === 0) continue;
    files.set(resolve(file), [...lines.keys()]);
    const ran = new Map([...lines].filter(([, count]) => count > 0));
    if (ran.size > 0) executed.set(resolve(file), ran);
  }
  const named = new Map<string, number>();
  for (const [digest, calls] of counted.calls) {
    const name = mapped.names.get(digest) ?? digest;
    named.set(name, (named.get(name) ?? 0) + calls);
  }
  return {
    executed: {
      functions: new Map([...named].filter(([, calls]) => calls > 0)),
      files: executed,
      regions: regions.executed,
    },
    executable: { functions: new Set(named.keys()), files, regions: regions.whole },
    faults,
  };
}

/** Those of code in a file, by where they are, and whether any instance of a template has executed them. */
function codeRegions(regions: readonly CountedRegion[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { kind, startLine, startColumn, endLine, endColumn, count } of regions) {
    if (kind !== 'code') continue;
    const place = `${startLine}:${startColumn}-${endLine}:${endColumn}`;
    found.set(place, found.get(place) === true || count > 0);
  }
  return found;
}

/** Undefined for a program without one. */
async function mapOf(program: Buffer) {
  const sections = await elfContents(program, ['__llvm_covmap', '__llvm_covfun', '__llvm_prf_names']);
  if (sections instanceof Fault) return sections;
  const [map, functions, names] = sections;
  if (map === undefined || functions === undefined || functions.length === 0) return undefined;
  const read = readCoverageMap(map, functions);
  return read instanceof Fault ? read : { functions: read, names: functionNames(names ?? Buffer.alloc(0)) };
}

/** Functions that the profile has not are those that were not executed, unless it has them in another shape. */
function countsOf(functions: readonly MappedFunction[], profile: Profile) {
  const regions = new Map<string, CountedRegion[]>();
  const calls = new Map<string, number>();
  let [known, other] = [0, 0];
  for (const mapped of functions) {
    const shapes = profile.get(mapped.name);
    const own = shapes?.find(({ shape }) => shape === mapped.shape);
    if (shapes !== undefined && own === undefined) {
      other++;
      continue;
    }
    if (own !== undefined) known++;
    const counted = countedRegions(mapped, own?.counts ?? []);
    calls.set(mapped.name, counted[0]?.count ?? 0);
    for (const region of counted) {
      const file = mapped.files[region.file] ?? '';
      const list = regions.get(file) ?? [];
      regions.set(file, list);
      list.push(region);
    }
  }
  return { regions, calls, known, other };
}
