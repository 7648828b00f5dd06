import { Command } from 'commander';
import { checkSubcommand } from './formula-check.js';
import { formatSubcommand } from './formula-format.js';
import { generateSubcommand } from './formula-generate.js';
import { mutateSubcommand } from './formula-mutate.js';
import { statsSubcommand } from './formula-stats.js';

/** `culprit formula`: commands for formulas that run no solver. */
export function formulaCommand(): Command {
  return new Command('formula')
    .addCommand(checkSubcommand())
    .addCommand(formatSubcommand())
    .addCommand(generateSubcommand())
    .addCommand(mutateSubcommand())
    .addCommand(statsSubcommand());
}
