/** The hash the scanner computes while it reads a symbol. */
export function wordHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = nextHash(hash, text.charCodeAt(i));
  return hash;
}

export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}
