/** `culprit.json`, read once; each room takes its own sections by a schema of its own. */

export { type ConfigurationFile, readConfigurationFile } from './configuration-file.js';
export { nearestName } from './nearest-name.js';
