import { createHash } from 'node:crypto';

/** SHA-256 of all parts one after the other, in hexadecimal. */
export function sha256(...parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Enough of it for a name among thousands. */
export function shortDigest(text: string, length = 16): string {
  return sha256(text).slice(0, length);
}

/** In the form npm writes it: `sha512-` and base 64. */
export function integrityOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

/** What LLVM names functions and lists of files by; it keeps no secret. */
export function md5(content: Buffer): Buffer {
  return createHash('md5').update(content).digest();
}
