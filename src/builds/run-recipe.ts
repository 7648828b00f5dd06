import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, realpath, rm, stat, statfs, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import {
  argumentList,
  type CommandEnd,
  environmentFault,
  Fault,
  findOnPath,
  makeFolder,
  operands,
  packageFile,
  pathArgument,
  runToEnd,
  thisMachine,
  usageFault,
  userCommand,
  words,
} from '../machine/index.js';
import { git } from '../repository/index.js';
import { errorLines } from './error-lines.js';
import type { Recipe } from './recipe.js';
import type { Slot } from './slot.js';

/** With less free space than this, a failed build is attributed to the full disk. */
const fullDiskBytes = 1 << 24;

export const diskFullPattern = /no space left on device|disk quota exceeded/i;
const outOfMemoryPattern =
  /killed signal terminated program|virtual memory exhausted|cannot allocate memory|bad_alloc/i;
const missingDependencyPattern = /CMake Error.*(?:could not find|-download)/i;

const quickCompile = packageFile('src/builds/quick-compile.sh');

const quickLink = packageFile('src/builds/quick-link.sh');

/** Compilers look for a linker by these names, in a folder given first. */
const linkerNames = ['ld', 'ld.bfd', 'ld.gold', 'ld.lld', 'ld.mold'] as const;

const coverage = packageFile('src/builds/coverage.sh');
const countersLayout = packageFile('src/builds/counters.ld');

const packageFiles = [
  quickCompile,
  quickLink,
  coverage,
  countersLayout,
  packageFile('src/builds/counters.c'),
];

/** The only linker that can insert a section into its default layout; it may not be the default linker. */
const layoutLinker = 'ld.bfd';

/**
 * Notes for each block and a counter for each edge, in separate sections so that the linker can group them. Loops
 * must update their counters in memory, because the program may be killed in a loop.
 */
const coverageFlags = [
  '-fprofile-arcs -ftest-coverage -fdata-sections -fno-tree-loop-im',
  // Compilers would replace these by functions of libgcov, which is not linked; counting children does not need them.
  ...['fork', 'execl', 'execlp', 'execle', 'execv', 'execvp', 'execve'].map((name) => `-fno-builtin-${name}`),
].join(' ');

export type RecipeEnd =
  | { readonly kind: 'made' }
  /** The commit is to blame, so it would fail again. */
  | { readonly kind: 'failed'; readonly why: string }
  /** The machine or the repository lacks something; later the same commit may build. */
  | { readonly kind: 'lacking'; readonly why: string }
  /** It was killed, or a resource ran out; a retry may succeed. */
  | { readonly kind: 'cut off'; readonly why: string }
  | { readonly kind: 'no room' };

/** Returns a fault if the machine is to blame and every other commit would fail too. */
export async function runRecipe(
  slot: Slot,
  recipe: Recipe,
  jobs: number,
  signal: AbortSignal,
  leftOut: readonly string[],
): Promise<RecipeEnd | Fault> {
  await makeFolder(slot.build);
  await slot.leaveOut(leftOut);
  await installLinkers(slot);
  await slot.beginLog();
  const program = builtProgram(slot, recipe);
  if (program instanceof Fault) return program;
  const before = await checkProgramFolder(program, slot);
  if (before !== undefined) return before;
  // Removed first, so that a build that produces nothing does not return another commit's program.
  await rm(program, { force: true });
  for (const command of recipe.build) {
    const end = await shell(command, slot, recipe, { jobs, signal, isPartial: leftOut.length > 0 });
    if (end instanceof Fault) return end;
    const { exitCode: code, signal: killedBy, hasTimedOut } = end;
    if (code === 0) continue;
    const word = command.split(' ').find((part) => !/^\w+=/.test(part)) ?? '';
    if (hasTimedOut) return { kind: 'cut off', why: `${word} took more than ${recipe.minutes} minutes` };
    if (killedBy !== undefined) return { kind: 'cut off', why: `${word} was ended by ${killedBy}` };
    const gone = packageFiles.find((path) => !existsSync(path));
    if (gone !== undefined)
      return environmentFault(`${gone} is missing, which builds need: reinstall culprit`);
    const log = await readFile(slot.log, 'utf8');
    const missing = code === 127 ? missingProgram(log) : undefined;
    if (missing !== undefined)
      return environmentFault(
        `the build needs ${missing}, which is not installed on this machine: install it`,
      );
    // On a full disk the log may be cut off before the error.
    if (diskFullPattern.test(log) || (await isFull(slot.path))) return { kind: 'no room' };
    if (outOfMemoryPattern.test(log))
      return { kind: 'cut off', why: `there was too little memory: ${errorLines(log)}` };
    const why = `${word} ended with ${code}: ${errorLines(log)}`;
    return { kind: missingDependencyPattern.test(why) ? 'lacking' : 'failed', why };
  }
  const isThere = await stat(program).then(
    (file) => file.isFile(),
    () => false,
  );
  if (!isThere) return { kind: 'failed', why: `the build succeeded, but there is no ${recipe.binary}` };
  const outside = await outsideTarget(program, slot);
  if (outside !== undefined)
    return {
      kind: 'failed',
      why: `the build succeeded, but ${recipe.binary} is a link that leads out of the sources, to ${outside}`,
    };
  const library = await buildFolderLibrary(program, slot, signal);
  return library === undefined
    ? { kind: 'made' }
    : {
        kind: 'failed',
        why: `the program loads ${library} from its build folder, which the next build replaces: link it statically`,
      };
}

/** The path of the built program; a fault if it is outside of the source and build folders. */
export function builtProgram(
  { source, build }: Pick<Slot, 'source' | 'build'>,
  { binary }: Recipe,
): string | Fault {
  const inBuild = '$CULPRIT_BUILD/';
  const [folder, name] = binary.startsWith(inBuild)
    ? [build, binary.slice(inBuild.length)]
    : [source, binary];
  const program = join(folder, name);
  return program.startsWith(`${folder}${sep}`)
    ? program
    : usageFault(
        `the program ${binary} is outside of the sources: name one below them, or below ${inBuild} where it is built`,
      );
}

/** A parent folder may be a link to another place, where nothing may be removed. */
async function checkProgramFolder(program: string, slot: Slot): Promise<Fault | undefined> {
  const [folder, root] = await Promise.all(
    [dirname(program), slot.path].map((path) => realpath(path).catch(() => undefined)),
  );
  return folder === undefined || root === undefined || `${folder}${sep}`.startsWith(`${root}${sep}`)
    ? undefined
    : usageFault(
        `${program} is behind a link that leads out of the sources, to ${folder}: nothing is removed there`,
      );
}

/** The link target of a program, if it is outside of the source and build folders. */
async function outsideTarget(program: string, { source, build }: Slot): Promise<string | undefined> {
  const real = await realpath(program);
  const folders = await Promise.all([source, build].map((folder) => realpath(folder).catch(() => undefined)));
  const isInside = folders.some((folder) => folder !== undefined && real.startsWith(`${folder}${sep}`));
  return isInside ? undefined : real;
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < fullDiskBytes;
}

/** Outside of the build folder, where a program may have this name. */
function linkerFolder({ path }: Slot): string {
  return join(path, 'linker');
}

/** Shells and CMake split linker options at blanks, so a path with blanks cannot be passed. */
export function isLinkablePath(folder: string): boolean {
  return !/\s/.test(folder);
}

async function installLinkers(slot: Slot): Promise<void> {
  const folder = linkerFolder(slot);
  await makeFolder(folder);
  for (const name of linkerNames) {
    await rm(join(folder, name), { force: true });
    await symlink(quickLink, join(folder, name));
  }
}

async function shell(
  command: string,
  slot: Slot,
  recipe: Recipe,
  { jobs, signal, isPartial }: { jobs: number; signal: AbortSignal; isPartial: boolean },
): Promise<CommandEnd | Fault> {
  const output = openSync(slot.log, 'a');
  try {
    return await runToEnd({
      words: userCommand(['sh', '-c', command]),
      cwd: slot.source,
      output,
      env: {
        ...recipe.env,
        CULPRIT_BUILD: slot.build,
        CULPRIT_JOBS: String(jobs),
        CULPRIT_COMPILE: quickCompile,
        CULPRIT_LINK: isLinkablePath(slot.path) ? `-B${linkerFolder(slot)}` : '',
        CULPRIT_LEFT_OUT: isPartial ? slot.leftOut : '',
        CULPRIT_COVERAGE: coverage,
        CULPRIT_COVERAGE_FLAGS: coverageFlags,
        CULPRIT_COVERAGE_LINK: [
          `${slot.build}/counters.o`,
          `-Wl,-T,${countersLayout}`,
          ...(findOnPath(layoutLinker, thisMachine()) === undefined ? [] : ['-fuse-ld=bfd']),
        ].join(' '),
      },
      limitMs: recipe.minutes * 60_000,
      signal,
      onStart: (pid) => slot.recordProcess(pid),
      endsOrphans: true,
    });
  } finally {
    closeSync(output);
  }
}

/** A shared library that the program loads from its build folder; undefined if unknown. */
async function buildFolderLibrary(
  program: string,
  slot: Slot,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = await runToEnd({
    words: argumentList('ldd', operands(program)),
    limitMs: 10_000,
    signal,
    output: 'keep',
  });
  if (end instanceof Fault) return undefined;
  const lines = end.stdout.toString('utf8').split('\n');
  const paths = lines.map((line) => /=> (\S+)/.exec(line)?.[1] ?? '');
  const own = paths.find((path) => path.startsWith(slot.path));
  return own === undefined ? undefined : basename(own);
}

/** Applies a patch unless it does not fit, because patches may be meant for other commits. */
export async function applyIfItFits(
  text: string,
  slot: Slot,
  signal: AbortSignal,
): Promise<Fault | undefined> {
  const file = join(slot.path, 'patch');
  await writeFile(file, text);
  // Keeps git from finding a repository in a parent folder.
  const env = { GIT_CEILING_DIRECTORIES: slot.path };
  const apply = words('-C', pathArgument(slot.source), 'apply');
  const fits = await git(words(apply, '--check', operands(file)), { env, signal });
  if (fits instanceof Fault) return undefined;
  const summary = await git(words(apply, '--summary', operands(file)), { env, signal });
  if (summary instanceof Fault) return summary;
  await slot.rememberCreated([...summary.matchAll(/^ create mode \d+ (.+)$/gm)].map(([, name = '']) => name));
  const applied = await git(words(apply, operands(file)), { env, signal });
  return applied instanceof Fault ? applied : undefined;
}

/** The command that a shell did not find, unless it is a script of the commit. */
function missingProgram(log: string): string | undefined {
  const [, name] = /(?:^|: )([\w.+-]+): (?:command )?not found$/m.exec(log) ?? [];
  return name === undefined || findOnPath(name, thisMachine()) !== undefined ? undefined : name;
}
