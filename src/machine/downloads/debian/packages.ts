import { type Paragraph, readParagraph } from './control.js';
import { compareDebianVersions } from './order.js';

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly dependencies: readonly Dependency[];
}

type Dependency = readonly Alternative[];

export interface Alternative {
  readonly name: string;
  readonly relation?: { readonly operator: string; readonly version: string } | undefined;
}

export interface PackageIndex {
  find(name: string): DebianPackage | undefined;
  /** The packages that provide a name, with the provided version if they declare one. */
  providers(name: string): readonly { readonly name: string; readonly version: string | undefined }[];
}

/**
 * Reads a Packages index. It holds about 60,000 packages and a dozen are needed, so paragraphs are only split here
 * and parsed on demand.
 */
export function readPackageIndex(text: string): PackageIndex {
  const paragraphs = new Map<string, string[]>();
  const provided = new Map<string, { name: string; version: string | undefined }[]>();
  for (const paragraph of text.split(/\n\n+/)) {
    const name = /^Package:[ \t]*(\S+)/m.exec(paragraph)?.[1];
    if (name === undefined) continue;
    paragraphs.set(name, [...(paragraphs.get(name) ?? []), paragraph]);
    const provides = /^Provides:[ \t]*(.*)/m.exec(paragraph)?.[1];
    for (const [alternative] of readDependencies(provides ?? '')) {
      if (alternative === undefined) continue;
      const standIns = provided.get(alternative.name) ?? [];
      standIns.push({ name, version: alternative.relation?.version });
      provided.set(alternative.name, standIns);
    }
  }
  return {
    find(name) {
      const candidates = (paragraphs.get(name) ?? []).map((text) => readPackage(readParagraph(text)));
      return candidates
        .filter((candidate) => candidate !== undefined)
        .sort((a, b) => compareDebianVersions(b.version, a.version))[0];
    },
    providers: (name) => provided.get(name) ?? [],
  };
}

function readPackage(fields: Paragraph): DebianPackage | undefined {
  const name = fields.get('package');
  const version = fields.get('version');
  const filename = fields.get('filename');
  const sha256 = fields.get('sha256');
  if (name === undefined || version === undefined || filename === undefined || sha256 === undefined)
    return undefined;
  const depends = ['pre-depends', 'depends'].flatMap((field) => readDependencies(fields.get(field) ?? ''));
  return { name, version, filename, bytes: Number(fields.get('size')), sha256, dependencies: depends };
}

/** `libc6 (>= 2.34), debconf | debconf-2.0, perl:any` */
function readDependencies(field: string): readonly Dependency[] {
  return field
    .split(',')
    .map((dependency) => dependency.split('|').flatMap(readAlternative))
    .filter((dependency) => dependency.length > 0);
}

function readAlternative(text: string): readonly Alternative[] {
  const [, name, operator, version] =
    /^\s*([^\s:([]+)(?::\w+)?\s*(?:\(\s*([<>=]+)\s*([^\s)]+)\s*\))?/.exec(text) ?? [];
  if (name === undefined) return [];
  const relation = operator === undefined || version === undefined ? undefined : { operator, version };
  return [{ name, relation }];
}
