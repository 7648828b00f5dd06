import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { packageFile, readInputText } from '../machine/index.js';
import { shellWord } from '../page/index.js';
import { type ForceOption, makeFolder, put, withForceOption } from './options/named-output.js';
import { orFail } from './screen/failure.js';
import { advise, printJson, printLine } from './screen/terminal.js';

interface ExamplesOptions extends ForceOption {
  readonly json?: boolean;
}

/** `culprit examples`: copies the example files of the docs out of the package. */
export function examplesCommand(): Command {
  return withForceOption(new Command('examples'))
    .argument('[folder]', 'target folder, created if missing', 'examples')
    .option('--json', 'print JSON instead of one path per line')
    .addHelpText('after', '\nExamples:\n  $ culprit examples\n  $ culprit run examples')
    .action(async (folder: string, options: ExamplesOptions) => {
      const files: string[] = [];
      for (const name of exampleNames()) {
        const file = join(folder, name);
        await makeFolder(dirname(file));
        await put(file, orFail(readInputText(packageFile(join('examples', name)))), options);
        files.push(file);
      }
      if (options.json) printJson('examples', { files });
      else {
        for (const file of files) printLine(file);
        advise(`Run them: culprit run ${shellWord(folder)}`);
      }
    });
}

/** Relative paths. */
function exampleNames(): readonly string[] {
  const top = packageFile('examples');
  const isFile = (name: string) => statSync(join(top, name)).isFile();
  return readdirSync(top, { recursive: true, encoding: 'utf8' }).filter(isFile).toSorted();
}
