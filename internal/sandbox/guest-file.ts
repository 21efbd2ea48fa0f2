/** Puts a guest program where a runtime can start it. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Writes it once under the name of its content, so that two versions of svc share a folder, and never half.
 * @param folder made when missing; other users must be able to read it
 * @returns its path
 */
export const writeGuest = (folder: string, source: string): string => {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16)
  const path = join(folder, `guest-${hash}.mjs`)
  if (existsSync(path) && readFileSync(path, 'utf8') === source) return path
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, source)
  // whatever the umask says: guests run as another user
  chmodSync(draft, 0o755)
  renameSync(draft, path)
  return path
}
