/** Writes files that guests need to a folder that they can read. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Writes a file once, atomically, under a name with the hash of its content, so that two versions of svc can share a
 * folder. A file with other content is written again.
 * @param folder created when missing; other users must be able to read it
 * @param name with `#` where the hash goes
 * @returns its path
 */
export const writeRuntimeFile = (
  folder: string,
  name: string,
  content: string | Uint8Array,
): string => {
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const path = join(folder, name.replace('#', hash))
  if (existsSync(path) && readFileSync(path).equals(bytes)) return path
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, bytes)
  // independent of the umask, because guests run as another user
  chmodSync(draft, 0o755)
  renameSync(draft, path)
  return path
}

/** The guest program. */
export const writeGuest = (folder: string, source: string): string =>
  writeRuntimeFile(folder, 'guest-#.mjs', source)
