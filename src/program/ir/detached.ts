/** Copies a short text, so that it does not keep the long text alive from which it was cut. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
