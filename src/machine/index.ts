/** The machine: faults, child processes and their limits, files, locks, digests, folders, downloads. */

export * as amounts from './amounts.js';
export { confinement } from './confinement.js';
export * from './digest.js';
export {
  choosePackages,
  type DebianArchitecture,
  type DebianOptions,
  debianArchitecture,
} from './downloads/debian/archive.js';
export { findMirror } from './downloads/debian/mirror.js';
export type { Root as DebianRoot } from './downloads/debian/root.js';
export { checkSearchablePath, startScript } from './downloads/debian/start-script.js';
export * from './downloads/debian/tool.js';
export { decompress } from './downloads/decompress.js';
export { download, type RetryPolicy, withoutSecrets } from './downloads/download.js';
export { escapeFault, type Member, readTar, safeParts } from './downloads/tar.js';
export { eitherSignal } from './either-signal.js';
export * from './fault.js';
export { isTemporaryName, sweepTemporaries, writeAtomically } from './files/atomic-file.js';
export {
  moveIntoPlace,
  removeFolderAtomically,
  stagingFolder,
  sweepStagingFolders,
} from './files/atomic-folder.js';
export * from './files/byte-range.js';
export { copyFolder } from './files/copy-folder.js';
export { elfContents, elfMagic, elfSections } from './files/elf.js';
export { type FileBelow, filesBelow } from './files/files-below.js';
export { findFullDisk } from './files/find-full-disk.js';
export { cacheFolder, temporaryFolder, toolsFolder } from './files/folders.js';
export {
  gunzipped,
  isOwnedByUser,
  pathExists,
  readInput,
  readInputText,
  readStandardInput,
} from './files/input-file.js';
export { parsedJson, readJsonLines, readJsonText } from './files/json-lines.js';
export { hasLock, lockName, takeLock } from './files/lock.js';
export { makeFolder } from './files/make-folder.js';
export { appendOwn, makeFolderWithin, openToAppend, writeWithin } from './files/own-folder.js';
export { type Allow, allowKnown, allowNamed, type Runnable } from './files/permissions.js';
export { checkWritable, rewriteUserFile, writeUserFile } from './files/user-file.js';
export { forEachConcurrent } from './for-each-concurrent.js';
export { type Ink, noInk, type Style } from './ink.js';
export type { JobStep, OnStep } from './job-step.js';
export * from './limits.js';
export { lookUp } from './lookup.js';
export { machineNeeds, type Need, programNeed } from './need.js';
export { packageFile } from './package-file.js';
export * from './processes/argument-list.js';
export { cannotStartCodes, checkRunnable } from './processes/check-runnable.js';
export { type CommandEnd, runToEnd } from './processes/command.js';
export { commandWorkspace } from './processes/command-workspace.js';
export { pinning } from './processes/cores.js';
export { killUntil, type ProcessResult, runProcess } from './processes/enclosed-process.js';
export { runInForeground } from './processes/foreground.js';
export { tryKill } from './processes/kill.js';
export { NodeChild } from './processes/node-child.js';
export { hasEnded, processStartTime } from './processes/proc-files.js';
export { removeTree } from './processes/remove-tree.js';
export { RunFiles } from './processes/run-files.js';
export { type PreparedRun, RunPool } from './processes/run-pool.js';
export type { Rlimit } from './processes/starters/starter.js';
export { lastErrorLine, runTool, type ToolOptions } from './processes/tool.js';
export { watchLimits } from './processes/watch-limits.js';
export * from './random.js';
export { Slots } from './slots.js';
export { cannotRead, cannotWrite, unforeseenFault } from './system-fault.js';
export * from './this-machine.js';
export * from './visible.js';
export { runWithoutYielding, YieldTimer } from './yield-timer.js';
