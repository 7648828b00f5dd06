/**
 * Builds of as much of a program as its cases call, which of a large solver is a third. What the cases call is seen on a
 * whole build; what they call besides on another commit says so when it is called, and is compiled then. So a partial build
 * either does what a whole one would, or says that it cannot; but for what a source that is left out begins to do by itself,
 * before the program does, at a commit after the first.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../machine/index.js';
import { type Repository, short } from '../../repository/index.js';
import type { AlsoKeep, Builds } from '../builds.js';
import type { Build } from '../manifest.js';
import type { Recipe } from '../recipe.js';
import { canBeLinkedIn } from '../run-recipe.js';
import { CalledFunctions } from './called-functions.js';
import type { Learned } from './learned.js';
import { KnownSources, neededSources } from './needed-sources.js';
import { type Objects, objectsIn, readObjects, writeObjects } from './objects.js';

const objectsName = 'objects.json.gz';
const standInsName = 'stand-ins.txt';

/** Whoever lacks more than this at one commit goes another way there: all it calls is looked at again. */
const mostMissing = 6;

/** As often may what links want more than is known; then it is built whole. */
const mostWishes = 3;

/** So many commits that build whole and not in part: the way of building leaves nothing out. */
const mostInVain = 2;

/** Beside a whole program what its sources define and need; beside a part of one what stands in for the rest. */
const keepObjects: AlsoKeep = async ({ build }, signal) => {
  if (!canBeLinkedIn(build)) return {};
  const objects = await objectsIn(build, signal);
  if (objects instanceof Fault) return objects;
  return objects === undefined ? {} : { [objectsName]: writeObjects(objects) };
};

/** For whoever builds a commit whole, at which a bisection may look later: what it looks for is not built again for that. */
export function keptOf({ isQuick }: { readonly isQuick?: boolean | undefined }): AlsoKeep | undefined {
  return isQuick === true ? keepObjects : undefined;
}

const keepStandIns: AlsoKeep = async ({ build }) => ({
  [standInsName]: await readFile(join(build, 'stubs.txt')).catch(() => Buffer.alloc(0)),
});

export interface PartialBuildsPlan {
  readonly repository: Repository;
  readonly recipe: Recipe;
  readonly builds: Builds;
  /** What is called is seen there first. */
  readonly first: string;
  /** Runs all there is to be run on a program, and says what came of it; one that is watched writes in a folder. */
  readonly runAll: (program: string, folder?: string) => Promise<readonly string[] | Fault>;
  /** Told in a line how much is compiled, and why where that is everything. */
  readonly onStage: (line: string) => void;
  /** By a search that was begun before and is gone on with. */
  readonly learned?: Learned | undefined;
  /** Told whenever there is more of it. */
  readonly onLearned?: ((learned: Learned) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** How far a commit was from having all it needs. */
interface Lack {
  missing: number;
  isWhole: boolean;
}

export class PartialBuilds {
  readonly #sources = new KnownSources();
  readonly #needed = new Set<string>();
  /** Commits whose whole builds told which sources there are. */
  readonly #tellers = new Set<string>();
  readonly #lacks = new Map<string, Lack>();
  #learning: Promise<Fault | undefined> | undefined;
  #isOff = false;
  #inVain = 0;

  constructor(private readonly plan: PartialBuildsPlan) {}

  async build(commit: string, jobs: number): Promise<Build | Fault> {
    this.#learning ??= this.#begin(jobs);
    const fault = await this.#learning;
    if (fault !== undefined) return fault;
    return this.#isOff || this.#lackOf(commit).isWhole
      ? this.#whole(commit, jobs)
      : this.#partOf(commit, jobs);
  }

  /** Whether something may be missing in a program. */
  isPartial(program: string): boolean {
    return existsSync(join(dirname(program), standInsName));
  }

  /**
   * A commit with more of its sources than a program of it had.
   *
   * @param missing the stand-in that was called; undefined where the program failed otherwise, which may come of what it lacks
   */
  async fuller(
    commit: string,
    program: string,
    missing: number | undefined,
    jobs: number,
  ): Promise<Build | Fault> {
    const lack = this.#lackOf(commit);
    const source = missing === undefined ? undefined : await this.#sourceOf(program, missing);
    const isFar = ++lack.missing > mostMissing;
    if (source === undefined || isFar) {
      lack.isWhole = true;
      const fault = isFar ? await this.#learn(commit, jobs) : undefined;
      return fault ?? this.#whole(commit, jobs);
    }
    await this.#need([source]);
    return this.#partOf(commit, jobs);
  }

  async #need(sources: Iterable<string>): Promise<void> {
    for (const source of sources) this.#needed.add(source);
    const { first, onLearned } = this.plan;
    await onLearned?.({ first, tellers: [...this.#tellers], needed: [...this.#needed] });
  }

  #lackOf(commit: string): Lack {
    const lack = this.#lacks.get(commit) ?? { missing: 0, isWhole: false };
    this.#lacks.set(commit, lack);
    return lack;
  }

  async #sourceOf(program: string, standIn: number): Promise<string | undefined> {
    const text = await readFile(join(dirname(program), standInsName), 'utf8').catch(() => '');
    const source = this.#sources.definerOf(text.split('\n')[standIn - 1] ?? '');
    return source === undefined || this.#needed.has(source) ? undefined : source;
  }

  async #partOf(commit: string, jobs: number): Promise<Build | Fault> {
    const { repository, recipe, builds, signal } = this.plan;
    // What was built whole serves as well; where it does not compile, a part of it may.
    const known = await builds.known(repository, commit, recipe, signal);
    if (known?.kind === 'built') return this.#whole(commit, jobs);
    for (let wishes = 0; wishes < mostWishes; wishes++) {
      const leftOut = this.#sources.without(this.#needed);
      if (leftOut.length === 0) break;
      const build = await builds.buildPart(repository, commit, recipe, {
        jobs,
        signal,
        alsoKeep: keepStandIns,
        leftOut,
      });
      if (build instanceof Fault || build.kind === 'built' || build.isLasting) {
        if (!(build instanceof Fault) && build.kind === 'built') this.#inVain = 0;
        return build;
      }
      const wanted = (build.wanted ?? []).map((symbol) => this.#sources.definerOf(symbol));
      const known = wanted.flatMap((source) =>
        source === undefined || this.#needed.has(source) ? [] : [source],
      );
      if (known.length === 0 || known.length < wanted.length) break;
      await this.#need(known);
    }
    const whole = await this.#whole(commit, jobs);
    if (!(whole instanceof Fault) && whole.kind === 'built' && ++this.#inVain >= mostInVain)
      this.#turnOff(`${mostInVain} commits one after the other could not be built in part`);
    return whole;
  }

  async #whole(commit: string, jobs: number): Promise<Build | Fault> {
    const { repository, recipe, builds, signal } = this.plan;
    const build = await builds.build(repository, commit, recipe, { jobs, signal, alsoKeep: keepObjects });
    if (build instanceof Fault || build.kind === 'failed') return build;
    await this.#hear(commit, build.program);
    return build;
  }

  /** Of a program that was built whole, which sources there are. */
  async #hear(commit: string, program: string): Promise<void> {
    const objects = await objectsBeside(program);
    if (objects === undefined) return;
    this.#sources.add(objects);
    this.#tellers.add(commit);
  }

  async #begin(jobs: number): Promise<Fault | undefined> {
    return (await this.#recalled()) ? undefined : this.#learn(this.plan.first, jobs);
  }

  /** Whether it goes on with what was learned before, as far as the builds are still there that tell of the sources. */
  async #recalled(): Promise<boolean> {
    const { repository, recipe, builds, first, learned, signal, onStage } = this.plan;
    if (learned?.first !== first) return false;
    for (const commit of learned.tellers) {
      const build = await builds.known(repository, commit, recipe, signal);
      if (build?.kind === 'built') await this.#hear(commit, build.program);
    }
    const leftOut = this.#sources.without(new Set(learned.needed));
    if (leftOut.length === 0) return false;
    for (const source of learned.needed) this.#needed.add(source);
    const all = this.#sources.count;
    onStage(`${all - leftOut.length} of ${all} sources are compiled, as before`);
    return true;
  }

  /**
   * Sees what is called at a commit, which is built whole for it. Whatever else a part may lack, such as what happens by
   * itself when a program begins: as long as the first commit does the same in part as it does whole, it is not missed.
   */
  async #learn(commit: string, jobs: number): Promise<Fault | undefined> {
    const build = await this.#whole(commit, jobs);
    if (build instanceof Fault) return build;
    if (build.kind === 'failed') return this.#turnOff(`${short(commit)} does not build`);
    const objects = await objectsBeside(build.program);
    if (objects === undefined) return this.#turnOff('the build does not tell what it compiles');
    const seen = await this.#seenIn(build.program);
    if (seen === undefined) return this.#turnOff('what the cases call cannot be seen here');
    const needed = new Set([...this.#needed, ...neededSources(objects, seen.called)]);
    const leftOut = this.#sources.without(needed);
    if (leftOut.length === 0) return this.#turnOff('the cases call something in all sources');
    if (commit === this.plan.first && !(await this.#doesTheSame(commit, seen.said, { jobs, leftOut })))
      return this.#turnOff(`a part of ${short(commit)} does not do what the whole does`);
    await this.#need(needed);
    const all = this.#sources.count;
    this.plan.onStage(
      `${all - leftOut.length} of ${all} sources are compiled: what is called at ${short(commit)}`,
    );
    return undefined;
  }

  /** Everything is built whole from now on, as ever. */
  #turnOff(why: string): undefined {
    if (!this.#isOff) this.plan.onStage(`everything is built whole: ${why}`);
    this.#isOff = true;
  }

  async #seenIn(
    program: string,
  ): Promise<{ readonly called: ReadonlySet<string>; readonly said: readonly string[] } | undefined> {
    const watched = await CalledFunctions.watch(program, this.plan.signal);
    if (watched instanceof Fault) return undefined;
    try {
      const said = await this.plan.runAll(watched.program, watched.folder);
      const called = await watched.called();
      return said instanceof Fault || called.size === 0 ? undefined : { called, said };
    } finally {
      await watched.close();
    }
  }

  async #doesTheSame(
    commit: string,
    said: readonly string[],
    how: { readonly jobs: number; readonly leftOut: readonly string[] },
  ): Promise<boolean> {
    const { repository, recipe, builds, signal } = this.plan;
    const part = await builds.buildPart(repository, commit, recipe, {
      ...how,
      signal,
      alsoKeep: keepStandIns,
    });
    if (part instanceof Fault || part.kind === 'failed') return false;
    return isDeepStrictEqual(await this.plan.runAll(part.program), said);
  }
}

async function objectsBeside(program: string): Promise<Objects | undefined> {
  const content = await readFile(join(dirname(program), objectsName)).catch(() => undefined);
  const objects = content && readObjects(content);
  return objects instanceof Fault ? undefined : objects;
}
