/** Chosen anew in every process, so that nobody can write a file whose symbols all fall together. */
const multiplier = (Math.floor(Math.random() * 0x3fffffff) << 2) | 0x5bd1e995;

/** The hash the scanner computes while it reads a symbol. */
export function wordHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = nextHash(hash, text.charCodeAt(i));
  return hash;
}

export function nextHash(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, multiplier);
  return mixed ^ (mixed >>> 15);
}
