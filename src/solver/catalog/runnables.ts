/** Programs, commands and options from specs, which need the user's consent before they run. */

import { resolve } from 'node:path';
import { findOnPath, lookUp, type Machine, type Runnable } from '../../machine/index.js';
import { isAllowedOption } from '../families/allowed.js';
import type { SolverConfiguration } from '../version/configuration.js';
import type { VersionSpec } from '../version/spec.js';

interface Surroundings {
  readonly machine: Machine;
  readonly configuration: SolverConfiguration;
}

/**
 * Releases that culprit downloads are not included: they are the same for everybody. The build commands of a commit
 * are known only after culprit has read its repository, see `builds`.
 */
export function runnablesOf(specs: readonly VersionSpec[], place: Surroundings): readonly Runnable[] {
  return specs.flatMap((spec) => [...programsOf(spec, place), ...optionsOf(spec)]);
}

function programsOf(spec: VersionSpec, { machine, configuration }: Surroundings): readonly Runnable[] {
  switch (spec.from) {
    case 'path': {
      const file = absoluteProgram(spec.path, machine);
      return [{ key: ['program', file], description: `the program ${file}` }];
    }
    case 'git': {
      const path = resolve(machine.cwd, spec.repository);
      return [{ key: ['repository', path], description: `programs built from the repository ${path}` }];
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

/** The absolute path of a program, or the name itself if it is not on `PATH`. */
export function absoluteProgram(path: string, machine: Machine): string {
  return path.includes('/') ? resolve(machine.cwd, path) : (findOnPath(path, machine) ?? path);
}

/** Some options make a solver write files or load code. Options that a formula may set do not. */
function optionsOf(spec: VersionSpec): readonly Runnable[] {
  const family = 'family' in spec ? spec.family : undefined;
  return Object.entries(spec.options)
    .filter(([name]) => family === undefined || !isAllowedOption(family, name))
    .map(([name, value]) => ({
      key: ['option', family ?? spec.from, name, value],
      description: `${family ?? 'a solver'} with the option ${name}=${value}`,
    }));
}
