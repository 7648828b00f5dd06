/** One line on standard error that says how far a job is; nothing where standard error is not a terminal. */
export class Progress {
  private shown = false;

  show(text: string): void {
    if (!process.stderr.isTTY) return;
    const width = process.stderr.columns || 80;
    process.stderr.write(`\r\u001b[K${text.slice(0, width - 1)}`);
    this.shown = true;
  }

  clear(): void {
    if (this.shown) process.stderr.write('\r\u001b[K');
    this.shown = false;
  }
}
