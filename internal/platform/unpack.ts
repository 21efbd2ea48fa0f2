/**
 * Writes a file of the binary to disk, where the system can execute it.
 *
 * It guarantees: the file at the returned path has exactly the bytes of the binary. They are checked by hash when they are
 * written and by size, owner and mode later; a crash or a concurrent process leaves no partial file.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#disk/make-folder.ts'
import { isWrittenOnlyByUser } from './own-file.ts'

export type CarriedFile = Readonly<{
  name: string
  /** Hash of the unpacked bytes, hex. */
  sha256: string
  bytes: number
  /** Returns the unpacked bytes; called only when they are not on disk yet. */
  read: () => Uint8Array
}>

const EXECUTABLE = 0o755

const isIntact = (path: string, bytes: number): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size === bytes && isWrittenOnlyByUser(stat)
}

/**
 * Unpacks a file unless it is on disk already.
 * @returns the path, `<folder>/<sha256>/<name>`, executable
 * @throws {Error} the carried bytes are damaged, or the disk cannot be written
 */
export const unpack = (folder: string, file: CarriedFile): string => {
  const place = join(folder, file.sha256)
  const path = join(place, file.name)
  if (isIntact(path, file.bytes)) return path
  const content = file.read()
  const hash = createHash('sha256').update(content).digest('hex')
  if (hash !== file.sha256) {
    throw new Error(`svc is damaged: the hash of its part ${file.name} differs. Reinstall svc.`)
  }
  makeFolder(place, 0o755)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeDurably(draft, content)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return path
}

const writeDurably = (path: string, content: Uint8Array): void => {
  const file = openSync(path, 'wx', EXECUTABLE)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
