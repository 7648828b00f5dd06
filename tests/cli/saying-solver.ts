/** For culprit.json: a solver that does something first, and gives one answer to everything. */
export function saying(answer: string, first = ':'): { command: readonly string[]; version: string } {
  return { command: ['sh', '-c', `${first}; echo ${answer}`, '{file}'], version: '1' };
}
