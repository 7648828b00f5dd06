/** Copies a short text, so that it does not keep the long text alive from which it was cut. */
export function detachedCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
