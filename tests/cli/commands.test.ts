import { describe, expect, it } from 'vitest';
import { commandLine, wholeCommandLine } from '../../src/cli/commands.js';
import { culprit } from './culprit.js';

describe('the command line', () => {
  it('lists every command with its summary in the help', async () => {
    const whole = await wholeCommandLine();
    expect((await commandLine('--help')).helpInformation()).toBe(whole.helpInformation());
    expect(whole.commands.filter((command) => command.description() === '')).toEqual([]);
  });

  it('loads only the requested command, under its own name', async () => {
    const { commands } = await wholeCommandLine();
    for (const asked of commands) {
      const { commands: loaded } = await commandLine(asked.name());
      expect(loaded.map((command) => command.name())).toEqual([asked.name()]);
      expect(loaded[0]?.helpInformation()).toBe(asked.helpInformation());
    }
  });

  it('shows the help of a command, and suggests a command for a misspelt one', () => {
    expect(culprit(['help', 'run']).stdout).toBe(culprit(['run', '--help']).stdout);
    expect(culprit(['hutn'])).toMatchObject({
      stderr: expect.stringContaining('Did you mean hunt?'),
      exitCode: 2,
    });
    expect(culprit(['constructor']).exitCode).toBe(2);
  });
});
