/** What runs when versions are resolved and measured, as far as it comes from whoever wrote their names. */

import { resolve } from 'node:path';
import { findOnPath, lookUp, type Machine, type Runnable } from '../../machine/index.js';
import { isAllowedOption } from '../families/allowed.js';
import type { SolverConfiguration } from '../version/configuration.js';
import type { VersionSpec } from '../version/spec.js';

interface Place {
  readonly machine: Machine;
  readonly configuration: SolverConfiguration;
}

/**
 * Releases that culprit fetches are not among them: they are the same for everybody. How a commit is built is known only
 * once it is looked at, see `builds`.
 */
export function runnablesOf(specs: readonly VersionSpec[], place: Place): readonly Runnable[] {
  return specs.flatMap((spec) => [...programsOf(spec, place), ...optionsOf(spec)]);
}

function programsOf(spec: VersionSpec, { machine, configuration }: Place): readonly Runnable[] {
  switch (spec.from) {
    case 'path': {
      const file = absoluteProgram(spec.path, machine);
      return [{ key: ['program', file], description: `the program ${file}` }];
    }
    case 'git': {
      const path = resolve(machine.cwd, spec.repository);
      return [{ key: ['repository', path], description: `what the repository ${path} builds` }];
    }
    case 'template': {
      const template = lookUp(configuration.solvers, spec.name);
      if (template === undefined) return [];
      const [program = '', ...words] = template.command;
      const command = [absoluteProgram(program, machine), ...words];
      return [
        {
          key: ['command', ...command],
          description: `${JSON.stringify(command)} (${spec.name} of culprit.json)`,
        },
      ];
    }
    case 'any':
    case 'debian': {
      const { debian } = configuration.mirrors;
      if (debian === undefined) return [];
      return [
        { key: ['mirror', debian], description: `programs from ${debian} (the mirror of culprit.json)` },
      ];
    }
    default:
      return [];
  }
}

/** The file a name stands for here; the name itself if there is none. */
export function absoluteProgram(path: string, machine: Machine): string {
  return path.includes('/') ? resolve(machine.cwd, path) : (findOnPath(path, machine) ?? path);
}

/** Some options make a solver write files or load code; those that a formula may set as well do not. */
function optionsOf(spec: VersionSpec): readonly Runnable[] {
  const family = 'family' in spec ? spec.family : undefined;
  return Object.entries(spec.options)
    .filter(([name]) => family === undefined || !isAllowedOption(family, name))
    .map(([name, value]) => ({
      key: ['option', family ?? spec.from, name, value],
      summary: `${family ?? 'a solver'} with the option ${name}=${value}`,
    }));
}
