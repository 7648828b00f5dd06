/**
 * Builds only the part of a program that the cases call, about a third of a large solver. The calls are recorded on a
 * whole build. If another commit calls a left-out function, that call reports it, and its source is compiled then. So
 * a partial build either behaves like a whole build or reports that it cannot. One exception: a left-out source that
 * starts to run code before the program does, at a later commit.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../machine/index.js';
import { type Repository, shortId } from '../../repository/index.js';
import type { Builds, CollectArtifacts } from '../builds.js';
import type { Build } from '../manifest.js';
import type { Recipe } from '../recipe.js';
import { isLinkablePath } from '../run-recipe.js';
import { CalledFunctions } from './called-functions.js';
import type { LearnedSources } from './learned-sources.js';
import { KnownSources, neededSources } from './needed-sources.js';
import { type Objects, objectsIn, readObjects, writeObjects } from './objects.js';

const objectsName = 'objects.json.gz';
const standInsName = 'stand-ins.txt';

/** If more sources than this are missing at one commit, its calls are recorded again. */
const maxMissing = 6;

/** After this many links with unexpected needs, it is built whole. */
const maxLinkAttempts = 3;

/** After this many consecutive commits that build only as a whole, partial builds are turned off. */
const maxFailedParts = 2;

/** Stores the symbols of a whole build, or the stand-ins of a partial one. */
const collectObjects: CollectArtifacts = async ({ build }, signal) => {
  if (!isLinkablePath(build)) return {};
  const objects = await objectsIn(build, signal);
  if (objects instanceof Fault) return objects;
  return objects === undefined ? {} : { [objectsName]: writeObjects(objects) };
};

/** For whole builds of commits that a later bisection may use, so that it need not build them again. */
export function artifactsFor({
  isQuick,
}: {
  readonly isQuick?: boolean | undefined;
}): CollectArtifacts | undefined {
  return isQuick === true ? collectObjects : undefined;
}

const collectStandIns: CollectArtifacts = async ({ build }) => ({
  [standInsName]: await readFile(join(build, 'stubs.txt')).catch(() => Buffer.alloc(0)),
});

export interface PartialBuildsPlan {
  readonly repository: Repository;
  readonly recipe: Recipe;
  readonly builds: Builds;
  readonly first: string;
  /** Runs all cases on a program and returns their outputs; a watched program writes to the folder. */
  readonly runAll: (program: string, folder?: string) => Promise<readonly string[] | Fault>;
  /** Receives a line with the share of compiled sources, and the reason if it is all. */
  readonly onStage: (line: string) => void;
  readonly learned?: LearnedSources | undefined;
  readonly onLearned?: ((learned: LearnedSources) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

interface MissingSources {
  missing: number;
  isWhole: boolean;
}

export class PartialBuilds {
  readonly #sources = new KnownSources();
  readonly #needed = new Set<string>();
  /** Commits whose whole builds listed their sources. */
  readonly #tellers = new Set<string>();
  readonly #missing = new Map<string, MissingSources>();
  #recording: Promise<Fault | undefined> | undefined;
  #isOff = false;
  #failedParts = 0;

  constructor(private readonly plan: PartialBuildsPlan) {}

  async build(commit: string, jobs: number): Promise<Build | Fault> {
    this.#recording ??= this.#begin(jobs);
    const fault = await this.#recording;
    if (fault !== undefined) return fault;
    return this.#isOff || this.#missingAt(commit).isWhole
      ? this.#buildWhole(commit, jobs)
      : this.#buildPart(commit, jobs);
  }

  isPartial(program: string): boolean {
    return existsSync(join(dirname(program), standInsName));
  }

  /**
   * Builds a commit with more of its sources than a program of it had.
   *
   * @param missing the number of the called stand-in; undefined if the program failed otherwise, perhaps because of a
   * left-out source
   */
  async buildMore(
    commit: string,
    program: string,
    missing: number | undefined,
    jobs: number,
  ): Promise<Build | Fault> {
    const lack = this.#missingAt(commit);
    const source = missing === undefined ? undefined : await this.#sourceOfStandIn(program, missing);
    const isFar = ++lack.missing > maxMissing;
    if (source === undefined || isFar) {
      lack.isWhole = true;
      const fault = isFar ? await this.#learn(commit, jobs) : undefined;
      return fault ?? this.#buildWhole(commit, jobs);
    }
    await this.#addNeeded([source]);
    return this.#buildPart(commit, jobs);
  }

  async #addNeeded(sources: Iterable<string>): Promise<void> {
    for (const source of sources) this.#needed.add(source);
    const { first, onLearned } = this.plan;
    await onLearned?.({ first, tellers: [...this.#tellers], needed: [...this.#needed] });
  }

  #missingAt(commit: string): MissingSources {
    const lack = this.#missing.get(commit) ?? { missing: 0, isWhole: false };
    this.#missing.set(commit, lack);
    return lack;
  }

  async #sourceOfStandIn(program: string, standIn: number): Promise<string | undefined> {
    const text = await readFile(join(dirname(program), standInsName), 'utf8').catch(() => '');
    const source = this.#sources.definerOf(text.split('\n')[standIn - 1] ?? '');
    return source === undefined || this.#needed.has(source) ? undefined : source;
  }

  async #buildPart(commit: string, jobs: number): Promise<Build | Fault> {
    const { repository, recipe, builds, signal } = this.plan;
    // A cached whole build serves as well. If the whole does not compile, a part may.
    const known = await builds.findCached(repository, commit, recipe, signal);
    if (known?.kind === 'built') return this.#buildWhole(commit, jobs);
    for (let wishes = 0; wishes < maxLinkAttempts; wishes++) {
      const leftOut = this.#sources.without(this.#needed);
      if (leftOut.length === 0) break;
      const build = await builds.build(repository, commit, recipe, {
        jobs,
        signal,
        collectArtifacts: collectStandIns,
        leftOut,
      });
      if (build instanceof Fault || build.kind === 'built' || build.isLasting) {
        if (!(build instanceof Fault) && build.kind === 'built') this.#failedParts = 0;
        return build;
      }
      const wanted = (build.wanted ?? []).map((symbol) => this.#sources.definerOf(symbol));
      const known = wanted.flatMap((source) =>
        source === undefined || this.#needed.has(source) ? [] : [source],
      );
      if (known.length === 0 || known.length < wanted.length) break;
      await this.#addNeeded(known);
    }
    const whole = await this.#buildWhole(commit, jobs);
    if (!(whole instanceof Fault) && whole.kind === 'built' && ++this.#failedParts >= maxFailedParts)
      this.#turnOff(`${maxFailedParts} commits in a row could not be built in part`);
    return whole;
  }

  async #buildWhole(commit: string, jobs: number): Promise<Build | Fault> {
    const { repository, recipe, builds, signal } = this.plan;
    const build = await builds.build(repository, commit, recipe, {
      jobs,
      signal,
      collectArtifacts: collectObjects,
    });
    if (build instanceof Fault || build.kind === 'failed') return build;
    await this.#addSources(commit, build.program);
    return build;
  }

  async #addSources(commit: string, program: string): Promise<void> {
    const objects = await readStoredObjects(program);
    if (objects === undefined) return;
    this.#sources.add(objects);
    this.#tellers.add(commit);
  }

  async #begin(jobs: number): Promise<Fault | undefined> {
    return (await this.#resume()) ? undefined : this.#learn(this.plan.first, jobs);
  }

  /** Resumes with stored results, as far as the builds that list the sources still exist. */
  async #resume(): Promise<boolean> {
    const { repository, recipe, builds, first, learned, signal, onStage } = this.plan;
    if (learned?.first !== first) return false;
    for (const commit of learned.tellers) {
      const build = await builds.findCached(repository, commit, recipe, signal);
      if (build?.kind === 'built') await this.#addSources(commit, build.program);
    }
    const leftOut = this.#sources.without(new Set(learned.needed));
    if (leftOut.length === 0) return false;
    for (const source of learned.needed) this.#needed.add(source);
    const all = this.#sources.count;
    onStage(`${all - leftOut.length} of ${all} sources are compiled, as before`);
    return true;
  }

  /**
   * Builds a commit whole and records its calls. A partial build may lack other things, such as code that runs at
   * startup. If the first commit behaves the same in part and whole, those are not needed.
   */
  async #learn(commit: string, jobs: number): Promise<Fault | undefined> {
    const build = await this.#buildWhole(commit, jobs);
    if (build instanceof Fault) return build;
    if (build.kind === 'failed') return this.#turnOff(`${shortId(commit)} does not build`);
    const objects = await readStoredObjects(build.program);
    if (objects === undefined) return this.#turnOff('the compiled sources are unknown');
    const seen = await this.#recordCalls(build.program);
    if (seen === undefined) return this.#turnOff('calls cannot be recorded on this machine');
    const needed = new Set([...this.#needed, ...neededSources(objects, seen.called)]);
    const leftOut = this.#sources.without(needed);
    if (leftOut.length === 0) return this.#turnOff('the cases use all sources');
    if (commit === this.plan.first && !(await this.#behavesTheSame(commit, seen.said, { jobs, leftOut })))
      return this.#turnOff(`a partial build of ${shortId(commit)} behaves differently from the whole`);
    await this.#addNeeded(needed);
    const all = this.#sources.count;
    this.plan.onStage(
      `${all - leftOut.length} of ${all} sources are compiled: those called at ${shortId(commit)}`,
    );
    return undefined;
  }

  #turnOff(why: string): undefined {
    if (!this.#isOff) this.plan.onStage(`partial builds are off: ${why}`);
    this.#isOff = true;
  }

  async #recordCalls(
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

  async #behavesTheSame(
    commit: string,
    said: readonly string[],
    how: { readonly jobs: number; readonly leftOut: readonly string[] },
  ): Promise<boolean> {
    const { repository, recipe, builds, signal } = this.plan;
    const part = await builds.build(repository, commit, recipe, {
      ...how,
      signal,
      collectArtifacts: collectStandIns,
    });
    if (part instanceof Fault || part.kind === 'failed') return false;
    return isDeepStrictEqual(await this.plan.runAll(part.program), said);
  }
}

async function readStoredObjects(program: string): Promise<Objects | undefined> {
  const content = await readFile(join(dirname(program), objectsName)).catch(() => undefined);
  const objects = content && readObjects(content);
  return objects instanceof Fault ? undefined : objects;
}
