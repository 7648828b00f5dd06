import { isWatched, showStatus } from './terminal.js';

/** One line on standard error that says how far a job is; nothing where standard error is not a terminal. */
export class Progress {
  private shown = false;

  show(text: string): void {
    if (!isWatched) return;
    showStatus(text);
    this.shown = true;
  }

  clear(): void {
    if (this.shown) showStatus('');
    this.shown = false;
  }
}
