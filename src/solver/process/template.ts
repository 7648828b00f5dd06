import { lookUp } from '../../machine/index.js';

export interface TemplateValues {
  /** The formula, also on standard input. */
  readonly file: string;
  readonly seed: number | undefined;
  readonly timeoutMs: number;
}

/**
 * Fills in a command template. `{timeout}` is in seconds, rounded up; `{timeout-ms}` is in milliseconds. `{seed}` is
 * 0 if undefined.
 *
 * @example fillTemplate(['yices-smt2', '--timeout={timeout}', '{file}'], { file: 'f.smt2', seed: 1, timeoutMs: 1500
 * }) // ['yices-smt2', '--timeout=2', 'f.smt2']
 */
export function fillTemplate(template: readonly string[], values: TemplateValues): readonly string[] {
  const words: Readonly<Record<string, string>> = {
    file: values.file,
    seed: String(values.seed ?? 0),
    timeout: String(Math.ceil(values.timeoutMs / 1000)),
    'timeout-ms': String(Math.ceil(values.timeoutMs)),
  };
  return template.map((word) =>
    word.replace(/\{([a-z-]+)\}/g, (whole, name: string) => lookUp(words, name) ?? whole),
  );
}
