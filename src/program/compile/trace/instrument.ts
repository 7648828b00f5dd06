/** Instruments the IR of a module so that the program records its run. */

import { type IrFunction, typeText } from '../../ir/index.js';
import { FunctionInstrumenter } from './instrument-function.js';
import { IrWriter, nameText } from './ir-writer.js';
import type { TracePlan } from './plan.js';
import type { RuntimeIr } from './runtime-ir.js';
import { symbolType } from './symbol-type.js';

/** Attributes that allow the compiler to assume no visible effects, which does not hold for recording functions. */
const purityAttributes =
  / (?:readnone|readonly|writeonly|argmemonly|inaccessiblememonly|inaccessiblemem_or_argmemonly|speculatable|willreturn|mustprogress|memory\([^)]*\))(?= )/g;

/** @param id the module's name in recordings, 16 hexadecimal digits */
export function instrument(plan: TracePlan, id: string, runtime: RuntimeIr): string {
  const { module, functions } = plan;
  const { text } = module;
  const parts: string[] = [];
  let at = 0;
  for (const fn of module.functions.values()) {
    if (fn.body === undefined) continue;
    const { from, to } = fn.body;
    const headFrom = text.lastIndexOf('\ndefine', from) + 1;
    const functionPlan = functions.get(fn.name);
    parts.push(text.slice(at, headFrom));
    at = to;
    if (fn.linkage === 'copy' && !plan.inlinedCopies.has(fn.name)) parts.push(declaration(fn));
    else if (functionPlan === undefined) parts.push(text.slice(headFrom, to));
    else {
      const body = text.slice(from, to).split('\n').slice(1, -1);
      const lines = new FunctionInstrumenter(plan, functionPlan, runtime.isOpaque).instrumented(body);
      parts.push(
        withPrefix(text.slice(headFrom, from), id, functionPlan.number),
        '\n',
        lines.join('\n'),
        '\n}',
      );
    }
  }
  parts.push(text.slice(at));
  const code = parts
    .join('')
    .replaceAll(/^attributes #\d+ = \{.*\}$/gm, (line) => line.replaceAll(purityAttributes, ''));
  return `${code}\n${registration(plan, id, runtime.isOpaque)}\n${runtime.declarationsFor(module)}\n`;
}

/**
 * Stores the module and number before the function's code, so that the program finds out which definition the linker
 * chose.
 */
function withPrefix(head: string, id: string, number: number): string {
  const prefix = ` prefix { i64, i64 } { i64 ${BigInt.asIntN(64, BigInt(`0x${id}`))}, i64 ${number} }`;
  const end = / (?:prologue|personality) |(?: ![\w.]+ !\d+)* \{$/.exec(head)?.index ?? head.length;
  return `${head.slice(0, end)}${prefix}${head.slice(end)}`;
}

/** Turns a definition for inlining into a declaration; the real one is in another module. */
function declaration({ result, name, parameters, isVariadic }: IrFunction): string {
  const types = [...parameters.map(({ type }) => typeText(type)), ...(isVariadic ? ['...'] : [])];
  return `declare ${typeText(result)} ${nameText('@', name)}(${types.join(', ')})`;
}

/** A constructor that runs before all others and records the addresses of the module's symbols. */
function registration(
  { module, layout, functions, symbols }: TracePlan,
  id: string,
  isOpaque: boolean,
): string {
  const writer = new IrWriter(layout, isOpaque);
  const words = [BigInt.asIntN(64, BigInt(`0x${id}`)), functions.size, symbols.length].map(
    (word) => `i64 ${word}`,
  );
  const addresses = symbols.map((name) => `i64 ${writer.addressOf(name, symbolType(module, name)).value}`);
  const type = `{ i64, i64, i64, [${symbols.length} x i64] }`;
  const value = `{ ${words.join(', ')}, [${symbols.length} x i64] [${addresses.join(', ')}] }`;
  const pointer = isOpaque ? 'ptr' : '%culprit_trace.culprit_trace_module*';
  const given = isOpaque ? '@culprit.module' : `bitcast (${type}* @culprit.module to ${pointer})`;
  const startType = isOpaque ? 'ptr' : 'void ()*';
  return [
    `@culprit.module = internal constant ${type} ${value}`,
    'define internal void @culprit.register() {',
    `  call void @culprit_trace_module(${pointer} ${given})`,
    '  ret void',
    '}',
    // Weak, because a program may contain the same module twice.
    `@culprit.constructor.${id} = weak hidden constant ${startType} @culprit.register, section ".init_array.00000", align 8`,
  ].join('\n');
}
