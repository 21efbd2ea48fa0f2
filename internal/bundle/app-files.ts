/**
 * The files of an app by path, and the rules that every path and every amount obeys, whichever way they came (upload,
 * git, draft). Names are judged as the least careful file system would see them.
 */
import { createHash } from 'node:crypto'
import { AppError } from '#core/error.ts'

export type AppFiles = ReadonlyMap<string, Uint8Array>

export const MAX_FILES = 2_000
export const MAX_BYTES = 20 * 1_024 * 1_024
const MAX_PATH_LENGTH = 255

const refuse = (message: string): AppError =>
  new AppError('unprocessable', message, { code: 'bad_bundle' })

/** Null: the path may be used. Else what is wrong with it. */
export const pathFault = (path: string): string | null => {
  if (path === '' || path.length > MAX_PATH_LENGTH)
    return `has no or more than ${MAX_PATH_LENGTH} characters`
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'is absolute'
  if (/[\\\0]/.test(path)) return 'holds a backslash or a NUL'
  if (/\p{Cc}/u.test(path)) return 'holds a control character'
  const parts = path.split('/')
  if (parts.includes('..') || parts.includes('.') || parts.includes(''))
    return 'is not a plain path inside the app'
  return null
}

/** Upper case first: it makes one of `ß` and `SS`, of `ſ` and `s`. */
const foldName = (path: string): string =>
  path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')

export interface FileCollector {
  /** Refuses before anything is read. @throws {AppError} unprocessable */
  reserve(sizes: readonly number[]): void
  /** @throws {AppError} unprocessable */
  add(path: string, bytes: Uint8Array): void
  readonly files: AppFiles
}

const refuseAmount = (count: number, bytes: number): void => {
  if (count > MAX_FILES) throw refuse(`An app has at most ${MAX_FILES} files.`)
  if (bytes > MAX_BYTES) throw refuse(`An app has at most ${MAX_BYTES / 1_048_576} MiB.`)
}

export const createFileCollector = (): FileCollector => {
  const files = new Map<string, Uint8Array>()
  const folded = new Set<string>()
  const foldedFolders = new Set<string>()
  let total = 0
  return {
    files,
    reserve: (sizes) =>
      refuseAmount(
        sizes.length,
        sizes.reduce((sum, size) => sum + size, 0),
      ),
    add: (path, bytes) => {
      const fault = pathFault(path)
      if (fault !== null) throw refuse(`The path ${JSON.stringify(path.slice(0, 200))} ${fault}.`)
      const fold = foldName(path)
      if (folded.has(fold)) {
        throw refuse(`Two files have one name, or differ only in its case or form: ${path}.`)
      }
      const folders = [...fold.matchAll(/\//g)].map(({ index }) => fold.slice(0, index))
      if (foldedFolders.has(fold) || folders.some((folder) => folded.has(folder))) {
        throw refuse(`A file and a folder have one name: ${path}.`)
      }
      total += bytes.length
      refuseAmount(files.size + 1, total)
      folded.add(fold)
      for (const folder of folders) foldedFolders.add(folder)
      files.set(path, bytes)
    },
  }
}

/** `sha256:<hex>` over names and contents, in order of names. */
export const contentHash = (files: AppFiles): string => {
  const hash = createHash('sha256')
  for (const path of [...files.keys()].sort()) {
    const bytes = files.get(path) ?? new Uint8Array(0)
    hash.update(`${path}\0${bytes.length}\0`)
    hash.update(bytes)
  }
  return `sha256:${hash.digest('hex')}`
}
