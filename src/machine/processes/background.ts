import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Lets culprit exit while this child runs; for children that end when culprit does. */
export function keepInBackground(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const pipe of pipesOf(child)) pipe.unref();
}

export function keepInForeground(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
  for (const pipe of pipesOf(child)) pipe.ref();
}

function pipesOf(child: ChildProcess): readonly Socket[] {
  return child.stdio.filter((stream) => stream instanceof Socket);
}
