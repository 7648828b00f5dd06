import { noiseText } from '../../report/index.js';
import { isBusyNoise, readCalibration } from '../../solver/index.js';
import { warn } from './terminal.js';

/** Before something is measured by it: a threshold that is too wide hides what is slower, and nobody would see that. */
export async function tellBusyCalibration(asked: {
  /** A difference of the user's own, which counts instead. */
  readonly threshold?: unknown;
  readonly preset?: string | undefined;
}): Promise<void> {
  if (asked.threshold !== undefined || asked.preset !== undefined) return;
  const noise = await readCalibration();
  if (!isBusyNoise(noise)) return;
  warn(
    `this machine was calibrated while it was busy: with ${noiseText(noise)} less is called slower than could be; ` +
      'run culprit calibrate when it is idle, or name a --threshold',
  );
}
