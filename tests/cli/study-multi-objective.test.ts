import { describe, expect, it } from 'vitest';
import {
  studyMultiObjectiveCommand,
  studySlowness,
} from '../../src/cli/commands/study/study-multi-objective.js';
import { askedSlowness } from '../../src/solver/index.js';

describe('the time limit of a run in the multi-objective study', () => {
  it.each([
    ['five seconds, as in the paper', {}, 5000],
    ['as long as the user says', { timeout: 700 }, 700],
    ['twice a threshold', { threshold: 300 }, 600],
    ['as long as the user says, whatever the threshold', { threshold: 300, timeout: 700 }, 700],
    ['as long as a preset says', { preset: 'paper' }, 20_000],
  ] as const)('can be %s', async (_, options, timeoutMs) => {
    expect((await askedSlowness(studySlowness(options))).timeoutMs).toBe(timeoutMs);
  });

  it('is in the help', () => {
    const help = studyMultiObjectiveCommand().helpInformation().replaceAll(/\s+/g, ' ');
    expect(help).toContain('default: twice the threshold, or 5s');
  });
});
