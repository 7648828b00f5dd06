import { nearestName } from '../../configuration/index.js';
import { Fault, lookUp, usageFault } from '../../machine/index.js';
import type { FamilyName } from './version.js';

export type KnownFamily = Exclude<FamilyName, 'custom'>;

/** The program of a family: `z3str3` is an option of `z3`. */
export type Engine = 'z3' | 'cvc4' | 'cvc5';

/** `quick`: not optimised, for comparing effort. `coverage`: counts executed code. */
export type BuildVariant = 'quick' | 'coverage' | 'quick-coverage';
/** The words after `?` that select each variant. */
const buildVariants: readonly (readonly [BuildVariant, readonly string[]])[] = [
  ['quick-coverage', ['quick', 'coverage']],
  ['quick', ['quick']],
  ['coverage', ['coverage']],
];

/** The variant that counts executed code. */
export function countingVariant(variant: BuildVariant | undefined): BuildVariant {
  return variant === 'quick' || variant === 'quick-coverage' ? 'quick-coverage' : 'coverage';
}

/** A version as a user names it, before culprit has looked for it. */
export type VersionSpec = {
  /** Solver options for every run, by the solver's own names. */
  readonly options: Readonly<Record<string, string>>;
} & (
  | { readonly from: 'any'; readonly family: KnownFamily; readonly number: string }
  | { readonly from: 'embedded' | 'npm' | 'pypi'; readonly family: 'z3' | 'z3str3'; readonly number: string }
  | {
      readonly from: 'debian';
      readonly family: KnownFamily;
      readonly suite: string;
      readonly package: Engine;
    }
  /** If the family is undefined, `--version` of the program says it. */
  | { readonly from: 'path'; readonly family: KnownFamily | undefined; readonly path: string }
  | {
      readonly from: 'git';
      readonly repository: string;
      readonly revision: string;
      readonly variant?: BuildVariant | undefined;
    }
  | { readonly from: 'template'; readonly name: string }
);

export const engineOf: Readonly<Record<KnownFamily, Engine>> = {
  z3: 'z3',
  z3str3: 'z3',
  cvc4: 'cvc4',
  cvc5: 'cvc5',
};

export const familyNames: readonly KnownFamily[] = ['z3', 'z3str3', 'cvc4', 'cvc5'];
export const engineNames: readonly Engine[] = ['z3', 'cvc4', 'cvc5'];

type SpecWithoutOptions<Spec = VersionSpec> = Spec extends VersionSpec ? Omit<Spec, 'options'> : never;

/** The parser of each prefix, and an example for its error messages. */
const prefixForms: Readonly<
  Record<string, { read: (rest: string) => SpecWithoutOptions | Fault; example: string }>
> = {
  embedded: { read: (rest) => readZ3('embedded', rest), example: 'embedded:z3@5.2.0' },
  npm: { read: (rest) => readZ3('npm', rest), example: 'npm:z3@4.12.2' },
  pypi: { read: (rest) => readZ3('pypi', rest), example: 'pypi:z3@4.13.0' },
  debian: { read: readDebian, example: 'debian:bullseye/z3' },
  path: { read: readPath, example: 'path:/usr/bin/z3' },
  git: { read: readGit, example: 'git:../z3@a1b2c3d' },
};

/**
 * Parses a version as users write it.
 *
 * @example parseSpec('z3@4.8.12?smt.random_seed=3') // { from: 'any', family: 'z3', number: '4.8.12', options: {
 * 'smt.random_seed': '3' } }
 * @param names the solvers defined in `culprit.json`
 */
export function parseSpec(text: string, names: Iterable<string> = []): VersionSpec | Fault {
  const trimmed = text.trim();
  if (trimmed === '') return usageFault('a version is missing: write one such as z3@5.2.0');
  const question = trimmed.indexOf('?');
  const bare = readWithoutOptions(question === -1 ? trimmed : trimmed.slice(0, question), new Set(names));
  if (bare instanceof Fault) return bare;
  const parts = question === -1 ? [] : trimmed.slice(question + 1).split('&');
  const [variant, asking = []] =
    (bare.from === 'git'
      ? buildVariants.find(([, words]) => words.every((word) => parts.includes(word)))
      : undefined) ?? [];
  const options = readOptions(
    parts.filter((part) => !asking.includes(part)),
    trimmed,
  );
  if (options instanceof Fault) return options;
  if (bare.from === 'template' && question !== -1) {
    return usageFault(`"${bare.name}" takes no options after "?": put them into its command in culprit.json`);
  }
  return bare.from === 'git' && variant !== undefined ? { ...bare, variant, options } : { ...bare, options };
}

/** Parses `z3@4.8.12,cvc5@1.0.3`. A version may occur once. */
export function parseSpecList(text: string, names: Iterable<string> = []): readonly VersionSpec[] | Fault {
  const known = [...names];
  const specs: VersionSpec[] = [];
  const seen = new Set<string>();
  for (const part of text.split(',')) {
    const spec = parseSpec(part, known);
    if (spec instanceof Fault) return spec;
    const identity = printSpec({ ...spec, options: sorted(spec.options) });
    if (seen.has(identity)) return usageFault(`${printSpec(spec)} is listed twice: name each version once`);
    seen.add(identity);
    specs.push(spec);
  }
  return specs;
}

/** Prints a spec so that `parseSpec` reads it back. */
export function printSpec(spec: VersionSpec): string {
  const options = Object.entries(spec.options).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const variant = spec.from === 'git' ? spec.variant : undefined;
  const [, asking = []] = buildVariants.find(([name]) => name === variant) ?? [];
  const parts = [...asking, ...options];
  return parts.length === 0 ? printWithoutOptions(spec) : `${printWithoutOptions(spec)}?${parts.join('&')}`;
}

function printWithoutOptions(spec: SpecWithoutOptions): string {
  switch (spec.from) {
    case 'any':
      return `${spec.family}@${spec.number}`;
    case 'embedded':
    case 'npm':
    case 'pypi':
      return `${spec.from}:${spec.family}@${spec.number}`;
    case 'debian':
      return `debian:${spec.family === spec.package ? '' : `${spec.family}=`}${spec.suite}/${spec.package}`;
    case 'path':
      return `path:${spec.family === undefined ? '' : `${spec.family}=`}${encode(spec.path)}`;
    case 'git':
      return `git:${encode(spec.repository)}@${encode(spec.revision).replaceAll('@', '%40')}`;
    case 'template':
      return spec.name;
  }
}

const prefixed = /^([A-Za-z][A-Za-z0-9]*):(.*)$/s;
/** In place of a number: the newest release. */
export const latest = 'latest';

const release = /^(?:\d+(?:\.\d+){1,3}|latest)$/;
/** Names of Debian suites and packages. No character leads out of a URL or a folder. */
const suiteName = /^[A-Za-z0-9][A-Za-z0-9.-]*$/;

function readWithoutOptions(text: string, names: ReadonlySet<string>): SpecWithoutOptions | Fault {
  const [, prefix, rest] = prefixed.exec(text) ?? [];
  if (prefix !== undefined && rest !== undefined) {
    const form = lookUp(prefixForms, prefix);
    if (form === undefined) return unknownPrefix(prefix);
    const bare = rest === '' ? usageFault(`"${text}" is incomplete`) : form.read(rest);
    return bare instanceof Fault ? usageFault(`${bare.message}: write it like ${form.example}`) : bare;
  }
  if (text.includes('/')) return { from: 'path', family: undefined, path: decode(text) };
  if (names.has(text)) return { from: 'template', name: text };
  const at = text.indexOf('@');
  if (at === -1 && isFamily(text)) return onPath(text);
  if (at === -1) return unknownWord(text, names);
  const family = text.slice(0, at);
  const number = text.slice(at + 1);
  if (!isFamily(family))
    return usageFault(`${notAFamily(family).message}: the families are ${familyNames.join(', ')}`);
  if (!release.test(number))
    return usageFault(notARelease(number, text, `${family}@${exampleNumbers[family]}`));
  return { from: 'any', family, number };
}

const exampleNumbers: Readonly<Record<KnownFamily, string>> = {
  z3: '5.2.0',
  z3str3: '4.8.12',
  cvc4: '1.8',
  cvc5: '1.0.3',
};

function readZ3(from: 'embedded' | 'npm' | 'pypi', rest: string): SpecWithoutOptions | Fault {
  const [family = '', number = ''] = split(rest, '@');
  if (!isFamily(family)) return notAFamily(family);
  if (family !== 'z3' && family !== 'z3str3') {
    return usageFault(`the source ${from} holds Z3 only, not ${family} (try debian:bookworm/${family})`);
  }
  if (!release.test(number)) return usageFault(`"${number}" in "${from}:${rest}" is not a release number`);
  return { from, family, number };
}

function readDebian(rest: string): SpecWithoutOptions | Fault {
  const [forced, place] = splitFamily(rest);
  const [suite = '', name = ''] = split(place, '/');
  if (!suiteName.test(suite))
    return usageFault(`"${suite}" in "debian:${rest}" is not the name of a Debian suite`);
  const engine = engineNames.find((engineName) => engineName === name);
  if (engine === undefined) {
    return usageFault(`"${name}" is not a Debian package culprit can run${suggestion(name, engineNames)}`);
  }
  const family = forced ?? engine;
  if (!isFamily(family)) return notAFamily(family);
  if (engineOf[family] !== engine) return usageFault(`Debian's package ${engine} is not a ${family}`);
  return { from: 'debian', family, suite, package: engine };
}

function readPath(rest: string): SpecWithoutOptions | Fault {
  const [forced, place] = splitFamily(rest);
  const path = decode(place);
  if (path === '' || path.includes('\0')) return usageFault(`"path:${rest}" names no file`);
  if (forced === undefined) return { from: 'path', family: undefined, path };
  if (!isFamily(forced)) return notAFamily(forced);
  return { from: 'path', family: forced, path };
}

function readGit(rest: string): SpecWithoutOptions | Fault {
  const at = rest.lastIndexOf('@');
  const repository = decode(rest.slice(0, Math.max(at, 0)));
  const revision = decode(rest.slice(at + 1));
  if (repository === '' || revision === '')
    return usageFault(`"git:${rest}" needs a repository and a revision`);
  return { from: 'git', repository, revision };
}

function readOptions(parts: readonly string[], whole: string): Readonly<Record<string, string>> | Fault {
  const options = new Map<string, string>();
  for (const part of parts) {
    const [name = '', value = ''] = split(part, '=').map(decode);
    if (name === '' || value === '') {
      return usageFault(`"${part}" in "${whole}" is not an option: write it like smt.random_seed=3`);
    }
    if (options.has(name)) return usageFault(`"${whole}" sets ${name} twice: set it once`);
    options.set(name, value);
  }
  return Object.fromEntries(options);
}

function unknownPrefix(prefix: string): Fault {
  if (isFamily(prefix)) {
    return usageFault(
      `"${prefix}:" is not a source: write ${prefix}@NUMBER, or debian:${prefix}=SUITE/PACKAGE`,
    );
  }
  const sources = Object.keys(prefixForms);
  return usageFault(
    `"${prefix}:" is not a source${suggestion(prefix, sources)}: the sources are ${sources.join(', ')}`,
  );
}

/** A family name without a number means the program of that name on `PATH`. */
function onPath(family: KnownFamily): SpecWithoutOptions {
  const path = engineOf[family];
  return { from: 'path', family: path === family ? undefined : family, path };
}

function unknownWord(word: string, names: ReadonlySet<string>): Fault {
  const near = suggestion(word, [
    ...names,
    ...familyNames.map((family) => `${family}@${exampleNumbers[family]}`),
  ]);
  return usageFault(
    `"${word}" is neither a version such as z3@5.2.0 nor a solver defined in culprit.json${near}: ` +
      'a path needs a "/" in it',
  );
}

function notAFamily(name: string): Fault {
  return usageFault(`"${name}" is not a solver family${suggestion(name, familyNames)}`);
}

function notARelease(number: string, whole: string, example: string): string {
  return `"${number}" in "${whole}" is not a release number: write one such as ${example}`;
}

function suggestion(typed: string, names: Iterable<string>): string {
  const near = nearestName(typed, names);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function isFamily(name: string): name is KnownFamily {
  return Object.hasOwn(engineOf, name);
}

/** `cvc5=/opt/solver` names the family first. Printed paths have their own `=` encoded. */
function splitFamily(text: string): readonly [string | undefined, string] {
  const at = text.indexOf('=');
  return at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
}

function split(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function sorted(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Percent-encodes the characters that separate parts of a spec or of a list. */
function encode(text: string): string {
  return text.replace(/[%?&=,\s\p{Cc}]/gu, (character) =>
    [...Buffer.from(character, 'utf8')]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** A `%` that starts no escape stands for itself, so most paths need no encoding. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}
