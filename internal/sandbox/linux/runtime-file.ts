/** Writes files that guests need to a folder that guests can read. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Writes a file atomically, under a name that includes the hash of its content, so that two versions of svc can share
 * a folder. It leaves an existing file with the same content alone and replaces one with other content.
 * @param folder created when missing; other users must be able to read it
 * @param name with `#` in place of the hash
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

/** Writes the guest program and returns its path. */
export const writeGuest = (folder: string, source: string): string =>
  writeRuntimeFile(folder, 'guest-#.mjs', source)
