/** Explains faults of the machine with their remedy. Every command loads it, so it recognizes errors by name, without imports. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'

const belowFile = (path: string): string =>
  `${path} is below a file, not a folder. Choose another path.`

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `This user may not use ${path}. Give it the place (chown), or name another.`,
  EPERM: (path) => `This user may not use ${path}. Give it the place (chown), or name another.`,
  EROFS: (path) => `${path} lies on a disk that cannot be written to. Name another place.`,
  ENOSPC: (path) => `The disk is full: ${path} could not be written. Make room.`,
  ENOTDIR: belowFile,
  EMFILE: (path) => `Too many files are open: ${path}. Raise the limit (ulimit -n).`,
}

/** Messages for a file that a person named, by the error code of opening it; the machine has no fault. */
const WRONG_PATHS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    existsSync(dirname(path))
      ? `There is no file ${path}. Check its name.`
      : `There is no folder ${dirname(path)}. Check its name.`,
  // the error of reading a folder has no path
  EISDIR: () => 'A folder was named where svc reads a file.',
}

/**
 * Messages for places where no folder can be created, by the error code. A different path
 * fixes it, so it counts as a wrong setting.
 */
const WRONG_PLACES: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    `No folder can be made at ${path}: the system allows none there. Name one on a disk.`,
  EEXIST: (path) =>
    `${path} is a file, or a link that leads nowhere, and no folder. Choose another path, or mount what the link leads to.`,
  ENOTDIR: belowFile,
}

/** Whether the error is about a named place that cannot be a folder. */
export const isWrongPlace = (error: unknown): boolean =>
  error instanceof Error && wrongPlace(error) !== undefined

const wrongPlace = (error: Error): string | undefined => {
  if (!('syscall' in error && error.syscall === 'mkdir' && 'code' in error && 'path' in error))
    return
  return WRONG_PLACES[String(error.code)]?.(String(error.path))
}

const HINT = 'Try `svc doctor` with the same flags.'

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The path that the error is about. A file that can be read is not why its copy could not be written. */
const placeOf = (error: Error): string => {
  const path = 'path' in error ? String(error.path) : 'a file'
  return 'dest' in error && isReadable(path) ? String(error.dest) : path
}

/** Whether it is a bug of svc itself, for which the stack trace helps. */
const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError

/** Turns SQLite's fragment into a sentence. */
const databaseSentence = (message: string): string =>
  message.startsWith('The ')
    ? message.replace(/\.?$/, '.')
    : `The database does not work: ${message.replace(/\.$/, '')}.`

const NO_WORKSPACE = /^Workspace "[^"]*" not found\.$/

/** A script may come before the node has made it. */
const NOT_READY =
  ' A new node makes this one when it is ready: wait for its address, and try again.'

/** The sentence of a refusal, with the command that helps if a command of this machine found no workspace. */
export const explainRefusal = (message: string): string =>
  NO_WORKSPACE.test(message)
    ? `${message} \`svc workspace list\` lists the workspaces.${message.includes('"default"') ? NOT_READY : ''}`
    : message

/** What the loader of programs reports for a library on a disk that is mounted noexec, with the library's path. */
const NOEXEC = /^(.*)\/[^/]+\/[^/]+: failed to map segment from shared object$/

const explainNoexec = (message: string): string | null => {
  const [, folder] = NOEXEC.exec(message) ?? []
  return folder === undefined
    ? null
    : `No program may run from ${folder}, because its disk is mounted noexec. Set SVC_CACHE_DIR to a folder on another disk.`
}

/** @param hasDoctor whether `svc doctor` takes the same flags as the command that failed */
export const explainError = (error: unknown, hasDoctor = true): string => {
  if (!(error instanceof Error)) return String(error)
  if (isBug(error)) return `svc failed: ${error.stack ?? error.message}`
  if (error.name === 'DatabaseError') return `${databaseSentence(error.message)} ${HINT}`
  const code = 'code' in error ? String(error.code) : ''
  const noexec = explainNoexec(error.message)
  if (noexec !== null) return noexec
  const path = placeOf(error)
  const isOfFile = 'syscall' in error && (error.syscall === 'open' || error.syscall === 'read')
  const wrongPath = isOfFile ? WRONG_PATHS[code]?.(path) : undefined
  if (wrongPath !== undefined) return wrongPath
  const place = wrongPlace(error)
  if (place !== undefined) return place
  const sentence = SENTENCES[code]?.(path)
  if (sentence === undefined) return error.message
  return hasDoctor ? `${sentence} ${HINT}` : sentence
}
