#!/usr/bin/env node
/**
 * Starts the command line with the code that V8 compiled when it was bundled, which halves the start time. If that
 * code is of another Node.js release, damaged, or of another text, V8 compiles again.
 */

import crypto = require('node:crypto');
import fs = require('node:fs');
import nodeModule = require('node:module');
import path = require('node:path');
import vm = require('node:vm');

interface Program {
  readonly main: () => Promise<void>;
}

interface Loaded {
  readonly program: Program;
  /** Stores V8's compiled code for later starts. */
  readonly keep: () => void;
}

type Loading = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

const file = path.join(__dirname, 'program.cjs');

/** A digest, followed by V8's compiled code. */
const compiledFile = path.join(__dirname, 'program.compiled');
const digestBytes = 32;

/**
 * Covers everything that the compiled code depends on. V8 checks only lengths and its own version, and crashes on damaged
 * bytes and on code compiled by another Node.js release with the same version of V8.
 */
function digestOf(text: string, compiled: Uint8Array): Buffer {
  const node = `${process.version} ${process.platform} ${process.arch}`;
  return crypto
    .createHash('sha256')
    .update(node)
    .update('\0')
    .update(text)
    .update('\0')
    .update(compiled)
    .digest();
}

/** The stored code for this text, if it is intact. */
function keptOf(text: string): Buffer | undefined {
  if (!fs.existsSync(compiledFile)) return undefined;
  const kept = fs.readFileSync(compiledFile);
  const compiled = kept.subarray(digestBytes);
  return digestOf(text, compiled).equals(kept.subarray(0, digestBytes)) ? compiled : undefined;
}

function load(): Loaded {
  const text = fs.readFileSync(file, 'utf8');
  const cachedData = keptOf(text);
  const script = new vm.Script(nodeModule.wrap(text), { filename: file, ...(cachedData && { cachedData }) });
  const loading: Loading = script.runInThisContext();
  const loaded = { exports: {} };
  loading(loaded.exports, nodeModule.createRequire(file), loaded, file, __dirname);
  return {
    program: loaded.exports as Program,
    keep: () => {
      const compiled = script.createCachedData();
      fs.writeFileSync(compiledFile, Buffer.concat([digestOf(text, compiled), compiled]));
    },
  };
}

if (require.main === module) void load().program.main();

export = { load };
