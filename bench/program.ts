import { Fault } from '../src/machine/index.js';
import { programOf } from '../src/program/compile/index.js';
import { DependenceGraph, ProgramFlowBuilder } from '../src/program/dependence/index.js';
import { type IrModule, Program, readModule } from '../src/program/ir/index.js';

/**
 * Measures the graphs of a program. `CULPRIT_PROGRAM` names a program that culprit built. With `CULPRIT_FLOW_ONLY`
 * only control flow and calls are read, module by module.
 */
export async function programBench(): Promise<void> {
  const { CULPRIT_PROGRAM: path, CULPRIT_FLOW_ONLY } = process.env;
  if (path === undefined) {
    console.log('program: skipped; set CULPRIT_PROGRAM to a program that culprit-cc built');
    return;
  }
  const built = await programOf(path);
  if (built instanceof Fault) throw new Error(built.message);
  const isFlowOnly = CULPRIT_FLOW_ONLY !== undefined;
  const watch = new Stopwatch();
  const builder = new ProgramFlowBuilder(process.cwd());
  const modules: IrModule[] = [];
  let characters = 0;
  for await (const one of built.modules()) {
    if (one instanceof Fault) throw new Error(one.message);
    characters += one.text.length;
    const module = readModule(one.text);
    builder.add(module);
    if (!isFlowOnly) modules.push(module);
    watch.look();
  }
  const flow = builder.link();
  const { functions, blocks, edges, calls, indirectCalls } = flow.size();
  console.log(`program: ${path}, ${built.size} modules, ${Math.round(characters / 1e6)} MB of IR as text`);
  watch.tell(
    `${functions} functions, ${blocks} blocks, ${edges} edges, ${calls} calls, ${indirectCalls} by pointers`,
  );
  console.log(`  notes of the reader: ${builder.notes.length}`);
  if (isFlowOnly) return;
  const graph = new DependenceGraph(new Program(modules));
  const { nodes, dependences } = graph.complete();
  watch.tell(`${nodes} nodes with ${dependences} dependences inside functions`);
  const outputs = graph.outputs();
  const slice = graph.backwardSlice(outputs.slice(-1));
  watch.tell(
    `a slice of ${slice.size} of ${graph.instructionCount} instructions from the last of ${outputs.length} outputs`,
  );
}

class Stopwatch {
  #from = performance.now();
  #most = 0;

  look(): void {
    this.#most = Math.max(this.#most, process.memoryUsage.rss());
  }

  tell(what: string): void {
    this.look();
    const now = performance.now();
    const seconds = ((now - this.#from) / 1000).toFixed(1);
    console.log(`  ${seconds.padStart(6)} s  ${Math.round(this.#most / (1 << 20))} MB  ${what}`);
    this.#from = now;
  }
}
