/** Random per process, so that no input file can force hash collisions. */
const multiplier = (Math.floor(Math.random() * 0x3fffffff) << 2) | 0x5bd1e995;

/** The hash that the scanner computes incrementally for a symbol. */
export function wordHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = nextHash(hash, text.charCodeAt(i));
  return hash;
}

export function nextHash(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, multiplier);
  return mixed ^ (mixed >>> 15);
}
