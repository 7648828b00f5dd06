/**
 * Runs a program and reports the order of its blocks, and which load read the bytes of which store. The IR is
 * instrumented with a small runtime that stores the last writer of every byte.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Block,
  type Instruction,
  type IrFunction,
  type IrModule,
  readBody,
  readModule,
} from '../../src/program/ir/index.js';
import { Layout } from '../../src/program/ir/layout.js';
import { removeFolder, temporaryFolder } from '../temporary-folder.js';

export interface Trace {
  /** Functions and blocks by index; `from` is -1 at function entry. */
  readonly steps: readonly { readonly fn: number; readonly from: number; readonly to: number }[];
  /** Instructions are numbered through all functions of the module that have a body. */
  readonly dependences: readonly { readonly reader: number; readonly writer: number }[];
}

const runtime = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define PAGES (1 << 16)
static struct page { uintptr_t key; uint32_t writer[4096]; } *pages[PAGES];
static uint32_t *shadow(uintptr_t at) {
  uintptr_t key = at >> 12;
  size_t slot = (key * 0x9e3779b97f4a7c15ull) >> 48;
  while (pages[slot] && pages[slot]->key != key) slot = (slot + 1) % PAGES;
  if (!pages[slot]) {
    pages[slot] = malloc(sizeof(struct page));
    pages[slot]->key = key;
    memset(pages[slot]->writer, 0xff, sizeof pages[slot]->writer);
  }
  return &pages[slot]->writer[at & 4095];
}
/* Pairs and steps, each once. */
#define SEEN (1 << 22)
static struct { uint64_t a, b; } *seen;
static FILE *out;
static void note(char kind, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t x = (uint64_t)kind << 56 | (uint64_t)(a + 1) << 28 | (uint64_t)(b + 1), y = c + 1;
  size_t slot = ((x ^ y * 31) * 0x9e3779b97f4a7c15ull) >> 42;
  while (seen[slot].a) {
    if (seen[slot].a == x && seen[slot].b == y) return;
    slot = (slot + 1) % SEEN;
  }
  seen[slot].a = x;
  seen[slot].b = y;
  fprintf(out, "%c %d %d %d\\n", kind, (int)a, (int)b, (int)c);
}
static struct { int fn, block; } stack[100000];
static int depth;
static uint32_t passed[16][512];
void trace_enter(int fn) {
  if (!out) { out = fopen(getenv("TRACE_FILE"), "w"); seen = calloc(SEEN, sizeof *seen); }
  stack[++depth].fn = fn;
  stack[depth].block = -1;
}
void trace_leave(void) { if (--depth == 0) fclose(out); }
void trace_block(int block) {
  note('s', stack[depth].fn, stack[depth].block, block);
  stack[depth].block = block;
}
void trace_read(char *from, int64_t bytes, uint32_t id) {
  for (int64_t i = 0; i < bytes; i++) {
    uint32_t writer = *shadow((uintptr_t)from + i);
    if (writer != 0xffffffff) note('d', id, writer, 0);
  }
}
void trace_write(char *to, int64_t bytes, uint32_t id) {
  for (int64_t i = 0; i < bytes; i++) *shadow((uintptr_t)to + i) = id;
}
void trace_pass(char *from, int64_t bytes, uint32_t at) {
  for (int64_t i = 0; i < bytes; i++) passed[at][i] = *shadow((uintptr_t)from + i);
}
void trace_take(char *to, int64_t bytes, uint32_t at) {
  for (int64_t i = 0; i < bytes; i++) *shadow((uintptr_t)to + i) = passed[at][i];
}
`;

/** @param compiler the compiler that emitted the IR */
export function trace(ir: string, compiler: string): Trace {
  const directory = temporaryFolder('trace');
  try {
    const path = (name: string): string => join(directory, name);
    writeFileSync(path('program.ll'), new Instrumenter(ir).instrument(), 'latin1');
    writeFileSync(path('runtime.c'), runtime);
    execFileSync(compiler, ['-w', '-O1', '-c', path('runtime.c'), '-o', path('runtime.o')]);
    execFileSync(compiler, ['-w', '-O0', path('program.ll'), path('runtime.o'), '-o', path('program')]);
    runToEnd(path('program'), path('trace'));
    return parsed(readFileSync(path('trace'), 'latin1'));
  } finally {
    removeFolder(directory);
  }
}

/** Ignores the exit code. */
function runToEnd(program: string, traceFile: string): void {
  try {
    execFileSync(program, { env: { TRACE_FILE: traceFile }, stdio: 'ignore', timeout: 60_000 });
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) throw error;
  }
}

function parsed(text: string): Trace {
  const steps: { fn: number; from: number; to: number }[] = [];
  const dependences: { reader: number; writer: number }[] = [];
  for (const line of text.split('\n')) {
    const [kind, a = 0, b = 0, c = 0] = line.split(' ').map((word, at) => (at === 0 ? word : Number(word)));
    if (kind === 's') steps.push({ fn: Number(a), from: Number(b), to: Number(c) });
    else if (kind === 'd') dependences.push({ reader: Number(a), writer: Number(b) });
  }
  return { steps, dependences };
}

/** Works line by line: compilers write one instruction per line, except for a few lists. */
class Instrumenter {
  readonly #module: IrModule;
  readonly #layout: Layout;
  readonly #lines: string[] = [];
  readonly #isOpaque: boolean;
  #temporaries = 0;
  #instructions = 0;

  constructor(private readonly ir: string) {
    this.#module = readModule(ir);
    this.#layout = new Layout(this.#module.dataLayout, this.#module.types);
    this.#isOpaque = /\bptr\b/.test(ir.slice(0, ir.indexOf('attributes #')));
  }

  instrument(): string {
    const defined = [...this.#module.functions.values()].filter(({ body }) => body !== undefined);
    let at = 0;
    for (const [number, fn] of defined.entries()) {
      const from = fn.body?.from ?? 0;
      const to = fn.body?.to ?? 0;
      this.#lines.push(this.ir.slice(at, from));
      this.#function(fn, number, this.ir.slice(from, to).split('\n').slice(1));
      at = to;
    }
    const pointer = this.#isOpaque ? 'ptr' : 'i8*';
    return [
      ...this.#lines,
      this.ir.slice(at),
      'declare void @trace_enter(i32)',
      'declare void @trace_leave()',
      'declare void @trace_block(i32)',
      ...['read', 'write', 'pass', 'take'].map((what) => `declare void @trace_${what}(${pointer}, i64, i32)`),
      '',
    ].join('\n');
  }

  #function(fn: IrFunction, number: number, lines: readonly string[]): void {
    const { blocks } = readBody(this.#module, fn);
    let block = -1;
    let at = 0;
    let isMarked = false;
    const startBlock = (): void => {
      block++;
      at = 0;
      isMarked = false;
    };
    for (const line of lines) {
      const isInstruction = /^ {2}[^ \]]/.test(line);
      if (/^[^ ;}\n][^ ]*:/.test(line) || (isInstruction && block === -1)) startBlock();
      if (!isInstruction) {
        this.#lines.push(line);
        continue;
      }
      const { instructions, terminator } = blocks[block] as Block;
      const instruction = instructions[at] ?? terminator;
      if (!isMarked && instruction.op !== 'phi') {
        if (block === 0) this.#enter(fn, number);
        this.#lines.push(`  call void @trace_block(i32 ${block})`);
        isMarked = true;
      }
      this.#before(instruction, line);
      this.#lines.push(line);
      this.#after(instruction, line);
      at++;
      this.#instructions++;
    }
  }

  #enter(fn: IrFunction, number: number): void {
    this.#lines.push(`  call void @trace_enter(i32 ${number})`);
    for (const [at, { name, byValue }] of fn.parameters.entries()) {
      if (byValue === undefined) continue;
      const header = this.ir.slice(this.ir.lastIndexOf('\ndefine', fn.body?.from), fn.body?.from);
      const pointerType = this.#isOpaque ? 'ptr' : `${/byval\((.*?)\)/.exec(header)?.[1]}*`;
      this.#call('take', `${pointerType} %${name}`, String(this.#layout.strideBytes(byValue)), at);
    }
  }

  /** @param pointer in IR syntax with its type */
  #call(what: string, pointer: string, bytes: string, id = this.#instructions): void {
    let given = pointer;
    if (!this.#isOpaque && !pointer.startsWith('i8* ')) {
      const temporary = `%trace.${this.#temporaries++}`;
      this.#lines.push(`  ${temporary} = bitcast ${pointer} to i8*`);
      given = `i8* ${temporary}`;
    }
    this.#lines.push(`  call void @trace_${what}(${given}, i64 ${bytes}, i32 ${id})`);
  }

  #before(instruction: Instruction, line: string): void {
    if (instruction.op === 'ret') this.#lines.push('  call void @trace_leave()');
    else if (instruction.op === 'load')
      this.#call('read', (parts(line)[1] ?? '').trim(), String(this.#layout.storedBytes(instruction.type)));
    else if (instruction.op === 'store')
      this.#call(
        'write',
        (parts(line)[1] ?? '').trim(),
        String(this.#layout.storedBytes(instruction.value.type)),
      );
    else if (instruction.op === 'call') this.#beforeCall(line);
  }

  #beforeCall(line: string): void {
    const called = /@(llvm\.mem\w+|\w+)/.exec(line.replaceAll(/\b(?:byval|sret)\([^)]*\)/g, ''))?.[1] ?? '';
    const [first = '', second = '', bytes = ''] = argumentsOf(line).map(bare);
    if (/^llvm\.mem(cpy|move)/.test(called)) this.#call('read', second, bytes.replace('i64 ', ''));
    if (/^llvm\.mem(cpy|move|set)/.test(called)) this.#call('write', first, bytes.replace('i64 ', ''));
    for (const [at, argument] of argumentsOf(line).entries()) {
      const type = /\bbyval\((.*?)\)/.exec(argument)?.[1];
      const named = type === undefined ? undefined : this.#module.types.get(type.replace('%', ''));
      if (named !== undefined)
        this.#call('pass', bare(argument), String(this.#layout.strideBytes(named)), at);
    }
  }

  /** New memory has no writer, or the call that allocated it. */
  #after(instruction: Instruction, line: string): void {
    if (instruction.op === 'alloca') {
      const type = /= alloca (.*?)(, align|$)/.exec(line)?.[1] ?? '';
      const bytes = this.#layout.strideBytes(instruction.allocated);
      this.#call('write', `${this.#isOpaque ? 'ptr' : `${type}*`} %${instruction.result}`, String(bytes), -1);
    } else if (instruction.op === 'call' && /@(malloc|calloc)\(/.test(line)) {
      const [first = '', second = 'i64 1'] = argumentsOf(line).map((argument) =>
        argument.replace(/ noundef\b/, ''),
      );
      const isZeroed = line.includes('@calloc(');
      const product = `%trace.${this.#temporaries++}`;
      this.#lines.push(`  ${product} = mul ${first}, ${second.replace('i64 ', '')}`);
      const pointer = `${this.#isOpaque ? 'ptr' : 'i8*'} %${instruction.result}`;
      this.#call('write', pointer, product, isZeroed ? this.#instructions : -1);
    }
  }
}

/** Splits at commas outside of brackets. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const [at, character] of [...text].entries()) {
    if ('([{<'.includes(character)) depth++;
    else if (')]}>'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)];
}

function argumentsOf(line: string): readonly string[] {
  const callee = /@[\w.]+\(|%\d+\(/.exec(line);
  if (callee === null) return [];
  const from = callee.index + callee[0].length;
  let depth = 1;
  let to = from;
  for (; depth > 0 && to < line.length; to++) {
    if (line[to] === '(') depth++;
    else if (line[to] === ')') depth--;
  }
  return parts(line.slice(from, to - 1)).map((argument) => argument.trim());
}

/** An argument without its attributes. */
function bare(argument: string): string {
  return argument.replaceAll(
    / (?:noundef|nonnull|nocapture|readonly|writeonly|byval\(.*?\)|align \d+)(?= )/g,
    '',
  );
}
