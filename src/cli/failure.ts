/** Ends a command with one sentence and an exit code: 1 failed as asked, 2 wrong usage, 3 an environment fault. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  constructor(
    readonly exitCode: 1 | 2 | 3,
    message: string,
  ) {
    super(message);
  }
}
