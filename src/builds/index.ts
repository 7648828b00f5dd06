/** Builds commits: recipes, build folders, the cache of builds, and commits as solver versions. */

export { type Builder, builderFor, buildersSchema } from './builders.js';
export { Builds, type CollectArtifacts, localBuilds } from './builds.js';
export { commitSources } from './commit-sources.js';
export { buildCommit, pinVersions } from './commit-version.js';
export { type CompilerName, compilerNames } from './compilers.js';
export type { Build, StoredBuild } from './manifest.js';
export { type LearnedSources, parseLearned } from './partial/learned-sources.js';
export { artifactsFor, PartialBuilds } from './partial/partial-builds.js';
export { versionOfProgram } from './program-version.js';
export { type Recipe, recipeSchema } from './recipe.js';
export { type BuilderRequest, requestedBuilder } from './requested-builder.js';
export { buildRunnable, repositoryRunnable } from './runnable.js';
export { type BuildContext, versionAt } from './version-at.js';
