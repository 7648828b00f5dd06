/** Progress of a long job: its current step and how much of it is done. */
export interface JobStep {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  /** The unit in the singular, such as `formula`. */
  readonly what: string;
  readonly at?: string | undefined;
}

export type OnStep = (step: JobStep) => void;
