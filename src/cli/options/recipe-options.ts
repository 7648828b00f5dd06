/** The options for build recipes, the same for every command that builds commits. */

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
      'shell command that builds; repeatable (default for Z3, CVC4 and cvc5: a built-in recipe)',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--binary <path>', 'path of the built program')
    .option('--builder <name>', 'use the build recipe of this name in culprit.json')
    .addOption(
      new Option(
        '--compiler <name>',
        'compiler of quick builds; clang needs half the time of gcc, but a solver may search differently with it',
      ).choices(compilerNames),
    );
}

export function builderRequest({ build, binary, builder, compiler }: RecipeOptions): BuilderRequest {
  return { build, binary, builder, compiler, folder: process.cwd() };
}
