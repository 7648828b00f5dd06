/** Pairs functions of a source file with their compiled control flow. */

import type { FlowBlock, FlowCall, FlowFunction } from '../../program/graph/index.js';
import type { SourceFunction } from '../../program/source/index.js';

/**
 * For each function its control flow: the compiled one under the name in the source, followed by its lambdas; the
 * parsed one if it was not compiled.
 */
export function compiledForms(
  functions: readonly SourceFunction[],
  compiled: readonly FlowFunction[],
): readonly (readonly FlowFunction[])[] {
  const inside = functions.map((): FlowFunction[] => []);
  for (const flow of compiled) {
    const at = innermost(functions, flow.firstLine);
    if (at !== undefined) inside[at]?.push(flow);
  }
  return functions.map((fn, at) => {
    const firsts = new Map<number, FlowFunction>();
    for (const flow of inside[at] ?? []) {
      const known = firsts.get(flow.firstLine);
      const ids = [...(known?.ids ?? []), ...(flow.ids ?? [])];
      firsts.set(flow.firstLine, { ...(known ?? flow), ...(ids.length > 0 ? { ids } : {}) });
    }
    const [whole, ...lambdas] = [...firsts.values()].toSorted((a, b) => a.firstLine - b.firstLine);
    if (whole === undefined) return [fn];
    const { firstLine, lastLine, name } = fn;
    const form = { ...whole, ...named(whole, name), firstLine, lastLine };
    return [
      lambdas.reduce(withCallOf, form),
      ...lambdas.map((lambda) => ({ ...lambda, ...named(lambda, `${name}::lambda`) })),
    ];
  });
}

function named({ name: symbol }: FlowFunction, name: string): Pick<FlowFunction, 'name' | 'symbol'> {
  return symbol === name ? { name } : { name, symbol };
}

function innermost(functions: readonly SourceFunction[], line: number): number | undefined {
  let found: number | undefined;
  for (const [at, { firstLine, lastLine }] of functions.entries()) {
    if (line < firstLine || line > lastLine) continue;
    const known = found === undefined ? undefined : functions[found];
    if (known === undefined || lastLine - firstLine < known.lastLine - known.firstLine) found = at;
  }
  return found;
}

/**
 * Adds a call of a lambda to the block that defines it, unless the function calls the lambda visibly. Functions that
 * receive a lambda usually call it.
 */
function withCallOf(form: FlowFunction, lambda: FlowFunction): FlowFunction {
  const { name, ids = [] } = lambda;
  const isCalled = (call: FlowCall): boolean =>
    typeof call === 'string'
      ? call === name
      : 'functions' in call && ids.some((id) => call.functions.includes(id));
  if (form.blocks.some(({ calls }) => calls.some(isCalled))) return form;
  const call: FlowCall = ids.length > 0 ? { functions: ids, isSure: true } : name;
  let caller: FlowBlock | undefined;
  let closest = 0;
  for (const block of form.blocks)
    for (const { line } of block.lines)
      if (line <= lambda.firstLine && line > closest) [closest, caller] = [line, block];
  const blocks = form.blocks.map(
    (block): FlowBlock => (block === caller ? { ...block, calls: [...block.calls, call] } : block),
  );
  return { ...form, blocks };
}
