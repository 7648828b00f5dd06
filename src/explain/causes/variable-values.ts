/** The values of variables when a line was executed. */

import { type Instance, nowhere, type Replay } from '../../symbolic/index.js';

export interface VariableValue {
  readonly name: string;
  /** In C syntax. */
  readonly value: string;
}

/** The last values of the named variables that the instances read or assign. */
export function variableValues(run: Replay, instances: readonly Instance[]): readonly VariableValue[] {
  const values = new Map<string, string>();
  for (const instance of instances) {
    const name = instance > nowhere ? run.variableOf(instance) : undefined;
    const value = name === undefined ? undefined : valueText(run, instance);
    if (name !== undefined && value !== undefined) values.set(name, value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

function valueText(run: Replay, instance: Instance): string | undefined {
  const instruction = run.instructionOf(instance);
  const type =
    instruction.op === 'store'
      ? instruction.value.type
      : instruction.op === 'load'
        ? instruction.type
        : undefined;
  const value = run.valueOf(instance);
  if (type === undefined || value === undefined) return undefined;
  switch (type.kind) {
    case 'integer':
      return integerText(value, type.bits);
    case 'float':
      return String(floatOf(value, type.format === 'float'));
    case 'pointer':
      return value === 0n ? 'NULL' : `0x${value.toString(16)}`;
    default:
      return undefined;
  }
}

function integerText(value: bigint, bits: number): string {
  const number = BigInt.asIntN(Math.max(bits, 2), value);
  const isLetter = bits === 8 && value >= 0x20n && value < 0x7fn;
  return isLetter ? `${number} (${JSON.stringify(String.fromCharCode(Number(value)))})` : String(number);
}

function floatOf(bits: bigint, isSingle: boolean): number {
  const view = new DataView(new ArrayBuffer(8));
  if (isSingle) view.setUint32(0, Number(bits));
  else view.setBigUint64(0, bits);
  return isSingle ? view.getFloat32(0) : view.getFloat64(0);
}
