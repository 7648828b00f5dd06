export { askedBuilder, type BuilderRequest } from './asked-builder.js';
export { type Builder, builderFor } from './builders.js';
export { type Build, Builds, localBuilds, type StoredBuild } from './builds.js';
export { buildCommit, pinned } from './commit-version.js';
export { versionOfProgram } from './program-version.js';
export { type Recipe, recipeSchema } from './recipe.js';
export { versionAt, type Workshop } from './version-at.js';
