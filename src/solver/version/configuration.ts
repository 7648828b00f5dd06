import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfigurationFile } from '../../configuration/index.js';
import { Fault } from '../../machine/index.js';
import { type DialectName, dialects } from '../../smtlib/index.js';
import { familyNames } from './spec.js';

interface Template {
  /** The argument vector; placeholders such as `{file}` and `{seed}` are filled in on every run. */
  readonly command: readonly string[];
  readonly dialect: DialectName;
  readonly version: string;
}

export interface SolverConfiguration {
  readonly solvers: Readonly<Record<string, Template>>;
  readonly mirrors: { readonly debian?: string | undefined };
}

const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];

const templateName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, 'a name is made of letters, digits and ". _ -"')
  .refine(
    (name) => !familyNames.some((family) => family === name),
    'the name of a known family cannot be used again',
  );

export const solversSchema = z.object({
  solvers: z
    .record(
      templateName,
      z.strictObject({
        command: z
          .array(z.string().min(1))
          .nonempty('the command needs at least the program')
          .describe('the program and its words; {file}, {seed}, {timeout} and {timeout-ms} are filled in'),
        dialect: z.enum(dialectNames).default('2.6').describe('how the solver spells the language'),
        version: z.string().min(1).default('unknown').describe('shown, and part of what is remembered of it'),
      }),
    )
    .default({})
    .describe('solvers that culprit does not know, by the names that --on takes'),
  mirrors: z
    .strictObject({
      debian: z
        .url({ protocol: /^(https?|file)$/ })
        .optional()
        .describe('the folder that holds dists/ and pool/'),
    })
    .default({})
    .describe('where packages are fetched from'),
});

/** Reads the solvers and mirrors in the `culprit.json` that applies in a folder. */
export function readSolverConfiguration(from: string): SolverConfiguration | Fault {
  const file = readConfigurationFile(from);
  if (file instanceof Fault) return file;
  const section = file.section(solversSchema);
  if (section instanceof Fault || file.folder === from) return section;
  const solvers = Object.entries(section.solvers).map(([name, template]) => {
    const [program = '', ...words] = template.command;
    const path = program.includes('/') ? resolve(file.folder, program) : program;
    return [name, { ...template, command: [path, ...words] }];
  });
  return { ...section, solvers: Object.fromEntries(solvers) };
}
