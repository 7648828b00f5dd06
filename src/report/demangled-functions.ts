/** Replaces C++ symbols in results by demangled names, for people. JSON keeps the symbols. */

import type { HuntData } from '../hunt/index.js';
import { demangler } from '../program/compile/index.js';
import type { LocationView } from './location/location.js';

export async function huntWithDemangledNames(data: HuntData): Promise<HuntData> {
  const grown = data.groups.flatMap(({ findings }) => findings.flatMap((finding) => finding.grown ?? []));
  const ranked = data.locations.flatMap(({ result }) => (result?.kind === 'ranked' ? result.functions : []));
  const demangle = await demangler([...grown, ...ranked].map(({ name }) => name));
  const declare = <Named extends { readonly name: string }>(all: readonly Named[]): Named[] =>
    all.map((one) => ({ ...one, name: demangle(one.name) }));
  const withGrown = (finding: Finding): Finding =>
    finding.grown === undefined ? finding : { ...finding, grown: declare(finding.grown) };
  return {
    ...data,
    groups: data.groups.map(({ findings: [first, ...others], ...group }) => ({
      ...group,
      findings: [withGrown(first), ...others.map(withGrown)],
    })),
    locations: data.locations.map(({ result, ...location }) => ({
      ...location,
      result: result?.kind === 'ranked' ? { ...result, functions: declare(result.functions) } : result,
    })),
  };
}

type Finding = HuntData['groups'][number]['findings'][0];

export async function locationWithDemangledNames(view: LocationView): Promise<LocationView> {
  const { functions, evidence } = view;
  const demangle = await demangler([...functions, ...evidence.stack].map(({ name }) => name));
  return {
    ...view,
    functions: functions.map((fn) => ({ ...fn, name: demangle(fn.name) })),
    evidence: {
      ...evidence,
      stack: evidence.stack.map((call) => ({ ...call, name: demangle(call.name) })),
    },
  };
}
