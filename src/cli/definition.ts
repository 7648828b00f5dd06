/** The command line as data, read from commander, for the manual and completion scripts. */

import type { Argument, Command, Option } from 'commander';

/** A placeholder for a value: `<formula...>`. */
export interface DefinedValue {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isVariadic: boolean;
  /** The allowed values, if they are a fixed set. */
  readonly choices?: readonly string[] | undefined;
}

export interface DefinedArgument {
  readonly value: DefinedValue;
  readonly says: string;
}

export interface DefinedOption {
  /** For example `-h` and `--help`, the short flag first. */
  readonly flags: readonly string[];
  readonly value?: DefinedValue | undefined;
  readonly says: string;
  /** The default in the user's notation. */
  readonly usual?: string | undefined;
  readonly isMandatory: boolean;
  readonly isRepeatable: boolean;
}

export interface Definition {
  /** The words that call it after `culprit`. Empty for culprit itself. */
  readonly words: readonly string[];
  /** For example `[options] <formula...>`. */
  readonly usage: string;
  readonly says: string;
  readonly arguments: readonly DefinedArgument[];
  readonly options: readonly DefinedOption[];
  readonly commands: readonly Definition[];
  /** The lists and examples at the end of its help. */
  readonly more: string;
  /** True for `help`, which commander adds to every command with subcommands. */
  readonly isImplied: boolean;
}

/** A command and all its subcommands, parents first. */
export function everyCommand(definition: Definition): readonly Definition[] {
  return [definition, ...definition.commands.flatMap(everyCommand)];
}

/** A command and its visible subcommands. */
export function definitionOf(command: Command, words: readonly string[] = []): Definition {
  const help = command.createHelp();
  const below = help.visibleCommands(command);
  const names = below.map((other) => other.name());
  return {
    words,
    usage: command.usage(),
    says: command.description(),
    arguments: command.registeredArguments.map(argumentOf),
    options: help.visibleOptions(command).map(optionOf),
    commands: below.map((other) => {
      const definition = definitionOf(other, [...words, other.name()]);
      return command.commands.includes(other) ? definition : implied(definition, names);
    }),
    more: moreHelp(command),
    isImplied: false,
  };
}

/** @param names of its sibling commands, which are its arguments */
function implied(definition: Definition, names: readonly string[]): Definition {
  const taken = definition.arguments.map(({ value, says }) => ({
    value: { ...value, choices: names },
    says,
  }));
  return { ...definition, arguments: taken, isImplied: true };
}

function argumentOf(argument: Argument): DefinedArgument {
  const { required: isRequired, variadic: isVariadic, argChoices: choices, description: says } = argument;
  return { value: { name: argument.name(), isRequired, isVariadic, choices }, says };
}

function optionOf(option: Option): DefinedOption {
  const { short, long, required, variadic, argChoices: choices, description: says } = option;
  const [, name] = /[<[]([^\]>]+?)(?:\.{3})?[\]>]$/.exec(option.flags) ?? [];
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    value: name === undefined ? undefined : { name, isRequired: required, isVariadic: variadic, choices },
    says,
    usual: usualOf(option),
    isMandatory: option.mandatory,
    // A repeatable option has an empty default.
    isRepeatable: variadic || isEmpty(option.defaultValue),
  };
}

function usualOf(option: Option): string | undefined {
  const value: unknown = option.defaultValue;
  if (option.defaultValueDescription !== undefined) return option.defaultValueDescription;
  if (value === undefined || isEmpty(value)) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

function isEmpty(value: unknown): boolean {
  return ['[]', '{}'].includes(JSON.stringify(value)) && !(value instanceof Set);
}

/** Commander offers this text only by printing it. */
function moreHelp(command: Command): string {
  const printed: string[] = [];
  const before = command.configureOutput();
  command.configureOutput({ writeOut: (text) => void printed.push(text) });
  command.outputHelp();
  const own = printed.indexOf(command.helpInformation());
  command.configureOutput(before);
  return printed
    .slice(own + 1)
    .join('')
    .trim();
}
