import type { Random } from '../../../src/machine/index.js';

/** Functions that only jump, some without an end. */
export function randomFlow(random: Random, functions: number): string {
  return Array.from({ length: functions }, (_, at) => randomFunction(random, `f${at}`)).join('\n');
}

function randomFunction(random: Random, name: string): string {
  const count = random.between(1, 12);
  // With few exits most paths are endless.
  const ends = random.pick([0, 0.05, 0.2]);
  // LLVM forbids jumps to the entry block.
  const target = (): string => `label %b${count === 1 ? 0 : random.between(1, count - 1)}`;
  const blocks = Array.from({ length: count }, (_, at) => [
    `b${at}:`,
    `  ${count === 1 || random.chance(ends) ? 'ret void' : jump(random, target)}`,
  ]);
  return [`define void @${name}(i1 %c, i32 %n) {`, ...blocks.flat(), '}', ''].join('\n');
}

function jump(random: Random, target: () => string): string {
  const way = random.below(5);
  if (way === 0) return `br ${target()}`;
  if (way < 4) return `br i1 %c, ${target()}, ${target()}`;
  const cases = Array.from({ length: random.between(0, 3) }, (_, at) => `i32 ${at}, ${target()}`);
  return `switch i32 %n, ${target()} [ ${cases.join(' ')} ]`;
}
