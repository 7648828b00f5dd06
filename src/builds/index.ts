/** Builds commits: recipes, build folders, the cache of builds, and commits as solver versions. */

export { askedBuilder, type BuilderRequest } from './asked-builder.js';
export { type Builder, builderFor, buildersSchema } from './builders.js';
export { type AlsoKeep, Builds, localBuilds } from './builds.js';
export { commitSources } from './commit-sources.js';
export { buildCommit, pinned } from './commit-version.js';
export { type CompilerName, compilerNames } from './compilers.js';
export type { Build, StoredBuild } from './manifest.js';
export { type Learned, parseLearned } from './partial/learned.js';
export { keptOf, PartialBuilds } from './partial/partial-builds.js';
export { versionOfProgram } from './program-version.js';
export { type Recipe, recipeSchema } from './recipe.js';
export { buildRunnable, repositoryRunnable } from './runnable.js';
export { type BuildContext, versionAt } from './version-at.js';
