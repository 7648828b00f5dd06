import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Lets culprit end while this child still runs, for children that end by themselves when culprit does. */
export function keepInBackground(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) {
    if (stream instanceof Socket) stream.unref();
  }
}
