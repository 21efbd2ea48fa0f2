/** The owner of files that an administrator replaces for a service. */
import { lchownSync, statSync } from 'node:fs'
import process from 'node:process'

/**
 * Gives a file the owner of another file or folder. A command that root runs would otherwise leave a file that the user of the
 * service may not read. Other users cannot give files away, so it then does nothing. It follows no link at `path`.
 * @throws {Error} the file system refuses; the error has its `code` and `path`
 */
export const takeOwner = (path: string, from: string): void => {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(from)
  // root needs no ownership of what is its own
  if (uid !== 0) lchownSync(path, uid, gid)
}
