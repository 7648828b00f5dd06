/** Progress of a long job: its current step and how much of it is done. */
export interface JobStep {
  /** Such as `reducing`; a new name begins a new step. */
  readonly step: string;
  /** May be fractional. */
  readonly done: number;
  readonly total: number;
  /** The unit in the singular, such as `formula`. */
  readonly what: string;
  /** The current item. */
  readonly at?: string | undefined;
}

export type OnStep = (step: JobStep) => void;
