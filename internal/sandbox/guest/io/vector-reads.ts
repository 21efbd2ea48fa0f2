/**
 * Reads of `node:fs` into several buffers. Deno's own ones repeat the read at the end of a file forever, so these replace them.
 * Compiled into the guest only.
 */
import { likeNative } from './like-native.ts'

type Files = typeof import('node:fs')
type FileHandle = import('node:fs').promises.FileHandle
type Buffers = readonly NodeJS.ArrayBufferView[]
type Position = number | null | undefined
type Done = (error: unknown, bytesRead?: number, buffers?: Buffers) => void

/** The part of `node:fs` that this changes. */
export type VectorModule = Pick<Files, 'read' | 'readSync'> & {
  readv: unknown
  readvSync: unknown
  promises: { open: Files['promises']['open'] }
}

/** Where to read after some bytes. Null means at the position of the file. */
const after = (position: Position, bytes: number): number | null =>
  typeof position === 'number' ? position + bytes : null

type ReadOne = (buffer: NodeJS.ArrayBufferView, position: number | null) => Promise<number>

/** Fills one buffer after another. Like the system call, it ends with a buffer that is not full. */
const fill = async (readOne: ReadOne, buffers: Buffers, position: Position): Promise<number> => {
  let total = 0
  for (const buffer of buffers) {
    const length = await readOne(buffer, after(position, total))
    total += length
    if (length < buffer.byteLength) break
  }
  return total
}

const createSync =
  ({ readSync }: VectorModule) =>
  (file: number, buffers: Buffers, position?: Position): number => {
    let total = 0
    for (const buffer of buffers) {
      const length = readSync(file, buffer, { position: after(position, total) })
      total += length
      if (length < buffer.byteLength) break
    }
    return total
  }

const createAsync = ({ read }: VectorModule) => {
  const readFrom = (file: number): ReadOne => {
    return (buffer, position) =>
      new Promise((resolve, reject) => {
        read(file, buffer, 0, buffer.byteLength, position, (error, length) =>
          error === null ? resolve(length) : reject(error),
        )
      })
  }
  return (file: number, buffers: Buffers, ...rest: readonly [Position, Done] | readonly [Done]) => {
    const [position, done] = rest.length === 1 ? [null, rest[0]] : rest
    fill(readFrom(file), buffers, position).then(
      (length) => done(null, length, buffers),
      (error: unknown) => done(error),
    )
  }
}

const readvOf = ({ read }: FileHandle): FileHandle['readv'] =>
  async function readv(this: FileHandle, buffers, position) {
    const readOne: ReadOne = async (buffer, at) => {
      const { bytesRead } = await Reflect.apply(read, this, [buffer, 0, buffer.byteLength, at])
      return bytesRead
    }
    return { bytesRead: await fill(readOne, buffers, position), buffers }
  }

/** Call it once, before code is loaded. */
export const endVectorReads = (files: VectorModule): void => {
  files.readvSync = likeNative(createSync(files), files.readvSync)
  files.readv = likeNative(createAsync(files), files.readv)
  const { open } = files.promises
  // Deno does not export the class of file handles
  files.promises.open = async (...options) => {
    const handle = await open(...options)
    return Object.assign(handle, { readv: readvOf(handle) })
  }
}
