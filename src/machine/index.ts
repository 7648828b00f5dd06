export { integrityOf, sha256 } from './downloads/checksum.js';
export {
  choosePackages,
  type DebianArchitecture,
  type DebianOptions,
  debianArchitecture,
} from './downloads/debian/archive.js';
export { findMirror } from './downloads/debian/mirror.js';
export type { Root as DebianRoot } from './downloads/debian/root.js';
export { decompress } from './downloads/decompress.js';
export { download, withoutSecrets } from './downloads/download.js';
export type { Patience } from './downloads/patience.js';
export { escapes, type Member, readTar, safeParts } from './downloads/tar.js';
export { eitherSignal } from './either-signal.js';
export { environmentFault, Fault, faultExitCodes, usageFault } from './fault.js';
export { cacheFolder, toolsFolder } from './folders.js';
export { inTurns } from './in-turns.js';
export type { LimitName, Limits } from './limits.js';
export { takeLock } from './lock.js';
export { machineNeeds, type Need, programNeed } from './need.js';
export { hasEnded, startOfProcess } from './process-start.js';
export { type CommandEnd, runToEnd } from './processes/command.js';
export { commandRoom } from './processes/command-room.js';
export { pinning } from './processes/cores.js';
export { type Finish, killUntil, runProcess } from './processes/enclosed-process.js';
export type { Rlimit } from './processes/launcher.js';
export { lookout } from './processes/lookout.js';
export { isLeftBehind, newOwnerName } from './processes/owner.js';
export { findProgram } from './processes/programs.js';
export { RunFiles } from './processes/run-files.js';
export { type Bench, Workshop } from './processes/workshop.js';
export { Slots } from './slots.js';
export { findOnPath, isExecutable, type Machine, platformOf, thisMachine } from './surroundings.js';
export { lastWords, runTool, type ToolEnd, type ToolOptions } from './tool.js';
