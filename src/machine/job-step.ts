/** What a long job tells whoever waits for it: the step it is at, and how much of that is done. */
export interface JobStep {
  /** Such as `reducing`; another one begins another step. */
  readonly step: string;
  /** A part of one counts as a part. */
  readonly done: number;
  readonly total: number;
  /** What one of them is called, such as `formula`. */
  readonly what: string;
  /** The one it is at. */
  readonly at?: string | undefined;
}

export type OnStep = (step: JobStep) => void;
