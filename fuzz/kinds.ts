/** Kinds of mutated inputs. */

export const kinds = ['formulas', 'ir', 'c', 'campaigns', 'config', 'lines'] as const;
export type Kind = (typeof kinds)[number];

export function isKind(text: string): text is Kind {
  return (kinds as readonly string[]).includes(text);
}
