/**
 * `node:fs` in a guest on Deno. `exists` and `existsSync` never throw on Node. Deno throws for a file that a job may not read, so
 * packages that look for an optional file (.env, a configuration) would fail. Loaded only by guests that use `node:fs`.
 */
import type { PathLike } from 'node:fs'
import { endFileInput, type FileModule } from './file-input.ts'
import { importsOf } from './imports.ts'
import { endVectorReads, type VectorModule } from './vector-reads.ts'

type Replaced = FileModule &
  VectorModule & { exists: unknown; existsSync: (path: PathLike) => boolean }

const importsFiles = importsOf('fs|fs/promises')
/** Node's `util.promisify.custom`. */
const PROMISIFY = Symbol.for('nodejs.util.promisify.custom')

let isPatched = false

/** Call it before the code is loaded. */
export const prepareFiles = async (code: string): Promise<void> => {
  if (isPatched || !importsFiles(code)) return
  isPatched = true
  const files: Replaced = (await import('node:fs')).default
  const native = files.existsSync
  const existsSync = (path: PathLike): boolean => {
    try {
      return native(path)
    } catch {
      // for the job, a file that it may not read does not exist
      return false
    }
  }
  const exists = (path: PathLike, done: (found: boolean) => void): void =>
    queueMicrotask(() => done(existsSync(path)))
  Object.assign(exists, { [PROMISIFY]: async (path: PathLike) => existsSync(path) })
  files.existsSync = existsSync
  files.exists = exists
  endVectorReads(files)
  endFileInput(files)
}
