/** Explains faults of the machine with their remedy. Every command loads it, so it recognises errors by name. */

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `This user may not use ${path}. Give it the place (chown), or name another.`,
  EPERM: (path) => `This user may not use ${path}. Give it the place (chown), or name another.`,
  EROFS: (path) => `${path} lies on a disk that cannot be written to. Name another place.`,
  ENOSPC: (path) => `The disk is full: ${path} could not be written. Make room.`,
  ENOTDIR: (path) => `${path} is below a file, not a folder. Choose another path.`,
  EMFILE: (path) => `Too many files are open: ${path}. Raise the limit (ulimit -n).`,
}

/** A file that a person named, by the error of opening it; the machine has no fault. */
const WRONG_PATHS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}. Check its name.`,
  // the error of reading a folder has no path
  EISDIR: () => 'A folder was named where svc reads a file.',
}

const HINT = 'Try `svc doctor` with the same flags.'

/** A bug of svc itself: the stack trace helps to fix it. */
const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError

/** SQLite speaks in fragments, svc in sentences. */
const databaseSentence = (message: string): string =>
  message.startsWith('The ')
    ? message.replace(/\.?$/, '.')
    : `The database does not work: ${message.replace(/\.$/, '')}.`

export const explainError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (isBug(error)) return `svc failed: ${error.stack ?? error.message}`
  if (error.name === 'DatabaseError') return `${databaseSentence(error.message)} ${HINT}`
  const code = 'code' in error ? String(error.code) : ''
  const path = 'path' in error ? String(error.path) : 'a file'
  const isOfFile = 'syscall' in error && (error.syscall === 'open' || error.syscall === 'read')
  const wrongPath = isOfFile ? WRONG_PATHS[code]?.(path) : undefined
  if (wrongPath !== undefined) return wrongPath
  const sentence = SENTENCES[code]?.(path)
  return sentence === undefined ? error.message : `${sentence} ${HINT}`
}
