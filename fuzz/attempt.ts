/** One command line on one mutated input. */

export interface Attempt {
  /** The mutated input as bytes, one character each. */
  readonly input: string;
  /** Writes all inputs of the command to an empty folder. */
  readonly prepare: (folder: string, input: string) => void;
  readonly args: readonly string[];
  /** Paths, relative to that folder, that the command may write to. */
  readonly writable?: readonly string[];
  /** Total time limit in the command's arguments. */
  readonly limitMs?: number;
  /** Standard output is a formula or a page, not text for a terminal. */
  readonly printsData?: boolean;
}

export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  readonly processorMs: number;
  /** The limit for which it was killed. */
  readonly overLimit: string | undefined;
  /** Processes that it left running. */
  readonly leftRunning: readonly string[];
  readonly leftInTemporary: readonly string[];
  /** Changes of files that it must not touch. */
  readonly changedFiles: readonly string[];
}

/** Forbidden behavior of a command. */
export interface Violation {
  /** The class of the fault. */
  readonly what: string;
  /** Details without parts that differ from run to run, so that the same fault has the same text. */
  readonly detail: string;
}
