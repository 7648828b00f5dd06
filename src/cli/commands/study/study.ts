import { Command } from 'commander';
import { studyComplexityCommand } from './study-complexity.js';
import { studyDetectionCommand } from './study-detection.js';
import { studyExplainCommand } from './study-explain.js';
import { studyLocalizationCommand } from './study-localization.js';
import { studyLocateCommand } from './study-locate.js';
import { studyMultiObjectiveCommand } from './study-multi-objective.js';
import { studyNoiseCommand } from './study-noise.js';
import { studySeedsCommand } from './study-seeds.js';
import { studyTriageCommand } from './study-triage.js';

/** `culprit study NAME`: repeats an experiment of a paper. */
export function studyCommand(): Command {
  return new Command('study')
    .addCommand(studyDetectionCommand())
    .addCommand(studyMultiObjectiveCommand())
    .addCommand(studyComplexityCommand())
    .addCommand(studySeedsCommand())
    .addCommand(studyNoiseCommand())
    .addCommand(studyLocalizationCommand())
    .addCommand(studyLocateCommand())
    .addCommand(studyExplainCommand())
    .addCommand(studyTriageCommand());
}
