import type { ForceOption } from './named-output.js';
import type { TrustOption } from './trust-option.js';

/** The formats of a report. */
export interface ReportOptions extends ForceOption, TrustOption {
  readonly html?: string;
  readonly markdown?: string;
  readonly csv?: string;
  readonly tracker?: string;
  readonly json?: boolean;
}
