/** The machine: faults, child processes and their limits, files, locks, digests, folders, downloads. */

export * as amounts from './amounts.js';
export { atOnce, Breath } from './breath.js';
export { confinement } from './confinement.js';
export { integrityOf, md5, sha256, shortDigest } from './digest.js';
export {
  choosePackages,
  type DebianArchitecture,
  type DebianOptions,
  debianArchitecture,
} from './downloads/debian/archive.js';
export { findMirror } from './downloads/debian/mirror.js';
export type { Root as DebianRoot } from './downloads/debian/root.js';
export { startScript, whyNotSearchable } from './downloads/debian/start-script.js';
export {
  addDebianTool,
  type DebianTool,
  debianToolFolder,
  debianToolProgram,
  removeDebianTool,
} from './downloads/debian/tool.js';
export { decompress } from './downloads/decompress.js';
export { download, withoutSecrets } from './downloads/download.js';
export type { Patience } from './downloads/patience.js';
export { escapes, type Member, readTar, safeParts } from './downloads/tar.js';
export { eitherSignal } from './either-signal.js';
export {
  environmentFault,
  Fault,
  faultExitCodes,
  LocatedFault,
  type TextPosition,
  ThrownFault,
  usageFault,
} from './fault.js';
export { type Allow, allowKnown, allowNamed, type Runnable } from './files/allowed.js';
export { type ByteRange, bytesOfFile, damage, partOf } from './files/byte-range.js';
export { copyFolder } from './files/copy-folder.js';
export { elfContents, elfMagic, elfSections } from './files/elf.js';
export { type FileBelow, filesBelow } from './files/files-below.js';
export { cacheFolder, temporaryFolder, toolsFolder } from './files/folders.js';
export { fullPlace } from './files/full-place.js';
export { isOwn, isThere, readInput, readInputText, readStandardInput, unpacked } from './files/input-file.js';
export { parsedJson, readJsonLines, readJsonText } from './files/json-lines.js';
export { hasLock, lockName, takeLock } from './files/lock.js';
export { makeFolder } from './files/make-folder.js';
export { rewriteNamed, whyNotWritable, writeNamed } from './files/named-file.js';
export { appendOwn, makeFolderWithin, openToAppend, writeWithin } from './files/own-folder.js';
export { isTemporaryName, sweepTemporaries, writeWhole } from './files/whole-file.js';
export { partIn, putInPlace, removeWhole, sweepParts } from './files/whole-folder.js';
export { inTurns } from './in-turns.js';
export { type Ink, noInk, type Style } from './ink.js';
export type { JobStep, OnStep } from './job-step.js';
export type { LimitName, Limits } from './limits.js';
export { limitsFor, timeoutOf } from './limits-for.js';
export { lookUp } from './lookup.js';
export { machineNeeds, type Need, programNeed } from './need.js';
export { ownFile } from './own-files.js';
export {
  type Argument,
  type ArgumentList,
  argumentList,
  asWritten,
  joined,
  operands,
  optionWith,
  pathArgument,
  revisions,
  words,
} from './processes/argument-list.js';
export { type CommandEnd, runToEnd } from './processes/command.js';
export { commandRoom } from './processes/command-room.js';
export { pinning } from './processes/cores.js';
export { type Finish, killUntil, runProcess } from './processes/enclosed-process.js';
export { findProgram } from './processes/find-program.js';
export { runInForeground } from './processes/foreground.js';
export { lookout } from './processes/lookout.js';
export { NodeChild } from './processes/node-child.js';
export { hasEnded, startOfProcess } from './processes/proc-files.js';
export { removeTree } from './processes/remove-tree.js';
export { RunFiles } from './processes/run-files.js';
export { unstartedCodes, whyNotRunnable } from './processes/runnable.js';
export type { Rlimit } from './processes/starters/starter.js';
export { lastWords, runTool, type ToolOptions } from './processes/tool.js';
export { type Bench, Workshop } from './processes/workshop.js';
export { Random, type RandomState } from './random.js';
export { Slots } from './slots.js';
export { cannotRead, cannotWrite, unforeseenFault } from './system-fault.js';
export {
  findOnPath,
  isExecutable,
  type Machine,
  machineKind,
  platformOf,
  thisMachine,
} from './this-machine.js';
export { visible, visibleJson, visibleLine } from './visible.js';
