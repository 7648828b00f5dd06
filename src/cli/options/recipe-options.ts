/** How a repository is built, as a user says it; the same words for every command that builds commits. */

import { type Command, Option } from 'commander';
import { type BuilderRequest, type CompilerName, compilerNames } from '../../builds/index.js';

export interface RecipeOptions {
  readonly build: readonly string[];
  readonly binary?: string;
  readonly builder?: string;
  readonly compiler?: CompilerName;
}

export function withRecipeOptions(command: Command): Command {
  return command
    .option(
      '--build <command>',
      'how to build; repeatable; known for Z3, CVC4 and cvc5',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--binary <path>', 'where the program is after that')
    .option('--builder <name>', 'build as culprit.json says under this name')
    .addOption(
      new Option(
        '--compiler <name>',
        'of quick builds: clang takes half the time of gcc, and a solver searches another way with it',
      ).choices(compilerNames),
    );
}

export function builderRequest({ build, binary, builder, compiler }: RecipeOptions): BuilderRequest {
  return { build, binary, builder, compiler, folder: process.cwd() };
}
