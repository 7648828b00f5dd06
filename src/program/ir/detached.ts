/** A copy of a short text that does not keep the long one alive it was cut out of. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
