import { createHash } from 'node:crypto';

export function sha256(...parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

export function shortDigest(text: string, length = 16): string {
  return sha256(text).slice(0, length);
}

/** A digest in npm's format: `sha512-` and base 64. */
export function integrityOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}
