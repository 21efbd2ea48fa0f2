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

export interface FileCollector {
  /** @throws {AppError} unprocessable */
  add(path: string, bytes: Uint8Array): void
  readonly files: AppFiles
}

export const createFileCollector = (): FileCollector => {
  const files = new Map<string, Uint8Array>()
  const folded = new Set<string>()
  let total = 0
  return {
    files,
    add: (path, bytes) => {
      const fault = pathFault(path)
      if (fault !== null) throw refuse(`The path ${JSON.stringify(path.slice(0, 200))} ${fault}.`)
      const fold = path.normalize('NFC').toLowerCase()
      if (folded.has(fold))
        throw refuse(`Two files differ only in the case or form of their names: ${path}.`)
      total += bytes.length
      if (files.size >= MAX_FILES) throw refuse(`An app has at most ${MAX_FILES} files.`)
      if (total > MAX_BYTES) throw refuse(`An app has at most ${MAX_BYTES / 1_048_576} MiB.`)
      folded.add(fold)
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
