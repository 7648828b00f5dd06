import { noiseText } from '../../report/index.js';
import { isBusyNoise, readCalibration } from '../../solver/index.js';
import { warn } from './terminal.js';

/** Warns before a measurement: a calibration on a busy machine gives a wide threshold, which hides slowdowns. */
export async function tellBusyCalibration(asked: {
  /** A threshold of the user, which replaces the calibrated one. */
  readonly threshold?: unknown;
  readonly preset?: string | undefined;
}): Promise<void> {
  if (asked.threshold !== undefined || asked.preset !== undefined) return;
  const noise = await readCalibration();
  if (!isBusyNoise(noise)) return;
  warn(
    `this machine was calibrated while it was busy: with ${noiseText(noise)} small slowdowns are missed; ` +
      'run culprit calibrate when it is idle, or give a --threshold',
  );
}
