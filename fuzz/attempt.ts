/** One command line on one mutated input. */

export interface Attempt {
  /** What was mutated, as bytes: one character each. */
  readonly input: string;
  /** Puts everything the command needs into an empty folder. */
  readonly place: (folder: string, input: string) => void;
  readonly args: readonly string[];
  /** Files and folders, relative to that folder, that the command may write to. */
  readonly allowed?: readonly string[];
  /** Time the command was told it may take, in all. */
  readonly toldMs?: number;
  /** Standard output is a formula or a page, and no text for a terminal. */
  readonly printsData?: boolean;
}

/** How a command ended. */
export interface Ended {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  readonly processorMs: number;
  /** Why it was ended from outside. */
  readonly overLimit: string | undefined;
  /** Processes it has left running. */
  readonly leftRunning: readonly string[];
  readonly leftInTemporary: readonly string[];
  /** What it did to files it had no business with. */
  readonly touched: readonly string[];
}

/** What must not have happened. */
export interface Wrong {
  /** The class of it. */
  readonly what: string;
  /** What exactly, without what differs from run to run: the same fault twice has the same words. */
  readonly detail: string;
}
