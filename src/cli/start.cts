#!/usr/bin/env node
/**
 * Starts the command line, with what V8 has compiled of it when it was bundled: that takes half the time. Where that was
 * another Node, or is damaged, it is compiled as ever.
 */

import fs = require('node:fs');
import nodeModule = require('node:module');
import path = require('node:path');
import vm = require('node:vm');

interface Program {
  readonly main: () => Promise<void>;
}

type Loading = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

const file = path.join(__dirname, 'program.cjs');

/** What V8 has compiled of the command line. */
const compiledFile = path.join(__dirname, 'program.compiled');

/** The command line, and what V8 has compiled of it by the time it is asked. */
function load(cachedData?: Buffer): { readonly program: Program; readonly compiled: () => Buffer } {
  const text = nodeModule.wrap(fs.readFileSync(file, 'utf8'));
  const script = new vm.Script(text, { filename: file, ...(cachedData && { cachedData }) });
  const loading: Loading = script.runInThisContext();
  const loaded = { exports: {} };
  loading(loaded.exports, nodeModule.createRequire(file), loaded, file, __dirname);
  return { program: loaded.exports as Program, compiled: () => script.createCachedData() };
}

if (require.main === module)
  void load(fs.existsSync(compiledFile) ? fs.readFileSync(compiledFile) : undefined).program.main();

export = { load, compiledFile };
