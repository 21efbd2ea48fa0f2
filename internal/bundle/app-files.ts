/**
 * The files of an app by path, and the limits for paths and sizes, which are the same for uploads, git sources and drafts.
 * Two names conflict if the least strict file system (case-insensitive, Unicode-normalizing) would merge them.
 */
import { type AppError, unprocessable } from '#core/error.ts'
import { isInGitFolder } from '#core/function/git-folder.ts'
import { limit } from '#core/limit.ts'

export type AppFiles = ReadonlyMap<string, Uint8Array>

export const MAX_FILES = limit(
  'app.files',
  2_000,
  'items',
  'Files of an app without `node_modules`. More: 422 at deployment.',
)
export const MAX_BYTES = limit(
  'app.bytes',
  20 * 1_024 * 1_024,
  'bytes',
  'Size of those files together. More: 422 at deployment.',
)
export const MAX_VENDORED_FILES = limit(
  'app.vendored_files',
  50_000,
  'items',
  'Files in `node_modules` of an app.',
)
export const MAX_VENDORED_BYTES = limit(
  'app.vendored_bytes',
  200 * 1_024 * 1_024,
  'bytes',
  'Size of `node_modules` of an app, unpacked.',
)
const MAX_PATH_LENGTH = limit('app.path', 255, 'characters', 'Path of a file in an app.')

const MIB = 1_024 * 1_024

/** Creates the error for a refused upload, `bad_bundle`. */
const refuse = (message: string): AppError => unprocessable(message, { code: 'bad_bundle' })

const VENDORED = /(?:^|\/)node_modules\//

/** Returns whether a file belongs to an installed package, which has separate limits. */
export const isVendored = (path: string): boolean => VENDORED.test(path)

/** Returns what is wrong with a path, or null when the app may use it. */
export const pathFault = (path: string): string | null => {
  if (path === '' || path.length > MAX_PATH_LENGTH)
    return `has no or more than ${MAX_PATH_LENGTH} characters`
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'is absolute'
  if (/[\\\0]/.test(path)) return 'contains a backslash or a NUL'
  if (/\p{Cc}/u.test(path)) return 'contains a control character'
  const parts = path.split('/')
  if (parts.includes('..') || parts.includes('.') || parts.includes(''))
    return 'is not a plain path inside the app'
  return null
}

/** Folds to upper case first, because that maps `ß` to `SS` and `ſ` to `S`. */
const foldName = (path: string): string =>
  path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')

export type FileSize = Readonly<{ path: string; size: number }>

export interface FileCollector {
  /** Checks sizes in bytes before anything is read. @throws {AppError} unprocessable */
  reserve(files: readonly FileSize[]): void
  /** Adds one file. @throws {AppError} unprocessable: bad path, conflicting name or too much content */
  add(path: string, bytes: Uint8Array): void
  readonly files: AppFiles
}

interface Amounts {
  /** @throws {AppError} unprocessable */
  add(file: FileSize): void
}

const createAmounts = (): Amounts => {
  const own = { files: 0, bytes: 0 }
  const vendored = { files: 0, bytes: 0 }
  return {
    add: ({ path, size }) => {
      const kind = isVendored(path) ? vendored : own
      kind.files += 1
      kind.bytes += size
      if (own.files > MAX_FILES) throw refuse(`An app has at most ${MAX_FILES} files.`)
      if (own.bytes > MAX_BYTES) throw refuse(`An app has at most ${MAX_BYTES / MIB} MiB.`)
      if (vendored.files > MAX_VENDORED_FILES)
        throw refuse(`The node_modules of an app have at most ${MAX_VENDORED_FILES} files.`)
      if (vendored.bytes > MAX_VENDORED_BYTES)
        throw refuse(`The node_modules of an app have at most ${MAX_VENDORED_BYTES / MIB} MiB.`)
    },
  }
}

/** Creates an empty collector that checks every added file against the limits of an app. */
export const createFileCollector = (): FileCollector => {
  const files = new Map<string, Uint8Array>()
  const folded = new Set<string>()
  const foldedFolders = new Set<string>()
  const amounts = createAmounts()
  return {
    files,
    reserve: (sizes) => {
      const wanted = createAmounts()
      for (const file of sizes) wanted.add(file)
    },
    add: (path, bytes) => {
      const fault = pathFault(path)
      const shown = JSON.stringify(path.slice(0, 200))
      if (fault !== null) throw refuse(`The path ${shown} ${fault}.`)
      // written into a folder, the files would be a repository, whose configuration may name programs
      if (isInGitFolder(path)) {
        throw refuse(`The path ${shown} belongs to a git repository, not to the app. Leave it out.`)
      }
      const fold = foldName(path)
      if (folded.has(fold)) {
        throw refuse(
          `Two files have the same name, or names that differ only in case or Unicode form: ${path}.`,
        )
      }
      const folders = [...fold.matchAll(/\//g)].map(({ index }) => fold.slice(0, index))
      if (foldedFolders.has(fold) || folders.some((folder) => folded.has(folder))) {
        throw refuse(`A file and a folder have the same name: ${path}.`)
      }
      amounts.add({ path, size: bytes.length })
      folded.add(fold)
      for (const folder of folders) foldedFolders.add(folder)
      files.set(path, bytes)
    },
  }
}
