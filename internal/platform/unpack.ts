/**
 * Puts a file that the binary carries on disk, where the system can load it.
 *
 * It guarantees: a path is returned only for a file with exactly the carried bytes, checked by hash when it was written
 * and by size, owner and mode ever after; a crash or a second process in the middle leaves no half file.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

export type CarriedFile = Readonly<{
  name: string
  /** Of the unpacked bytes, hexadecimal. */
  sha256: string
  bytes: number
  /** The unpacked bytes; asked for only when they are not on disk yet. */
  read: () => Uint8Array
}>

const EXECUTABLE = 0o755
const GROUP_OR_OTHERS_MAY_WRITE = 0o022

const isIntact = (path: string, bytes: number): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const isMine = process.getuid === undefined || stat.uid === process.getuid()
  const isClosed = (stat.mode & GROUP_OR_OTHERS_MAY_WRITE) === 0
  return stat.isFile() && stat.size === bytes && isMine && isClosed
}

/**
 * @returns the path, `<folder>/<sha256>/<name>`, executable
 * @throws {Error} the carried bytes are damaged, or the disk refuses
 */
export const unpack = (folder: string, file: CarriedFile): string => {
  const place = join(folder, file.sha256)
  const path = join(place, file.name)
  if (isIntact(path, file.bytes)) return path
  const content = file.read()
  const hash = createHash('sha256').update(content).digest('hex')
  if (hash !== file.sha256) {
    throw new Error(`svc is damaged: its part ${file.name} has another hash. Install svc again.`)
  }
  mkdirSync(place, { recursive: true, mode: 0o755 })
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
