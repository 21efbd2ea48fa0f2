/**
 * The guest's end of the pipe from its host, on Node.
 *
 * Importing `node:process` opens `process.stdin`, which makes the pipe non-blocking. A guest that waits for its next job
 * would then have to poll. So this makes the pipe blocking again, and gives the script an empty `process.stdin`.
 */
import fs from 'node:fs'
import { Socket } from 'node:net'
import process from 'node:process'
import { Readable } from 'node:stream'
import { endFileInput } from './file-input.ts'
import { hideInput } from './no-input.ts'
import { untilReady } from './until-ready.ts'

const STDIN = 0
const CHUNK_BYTES = 64 * 1024
// saved, because it is replaced for the script
const { readSync } = fs

/** Node exposes the blocking mode of a pipe only through its handle. If that is missing, `readSync` polls. */
const makeBlocking = (socket: Socket): void => {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return
  const setBlocking: unknown = Reflect.get(handle, 'setBlocking')
  if (typeof setBlocking === 'function') Reflect.apply(setBlocking, handle, [true])
}

export type NodeStdin = Readonly<{
  /** Blocks until there is input. Returns the number of bytes, 0 at the end. */
  readSync(buffer: Uint8Array): number
  /** Like `readSync` without blocking. Only one call may wait at a time. */
  read(buffer: Uint8Array): Promise<number>
}>

/** Takes over the standard input of this process. Call it once, before the script is imported. */
export const takeStdin = (): NodeStdin => {
  let deliver = (_bytes: Uint8Array): void => undefined
  const socket = new Socket({
    fd: STDIN,
    readable: true,
    writable: false,
    onread: {
      buffer: new Uint8Array(CHUNK_BYTES),
      // false: stop reading until the next `read`
      callback: (length, bytes) => {
        deliver(bytes.subarray(0, length))
        return false
      },
    },
  })
  socket.pause()
  makeBlocking(socket)
  hideInput(process, () => Readable)
  endFileInput(fs)

  const read = (buffer: Uint8Array): Promise<number> =>
    new Promise((resolve) => {
      const end = (): void => resolve(0)
      socket.once('close', end)
      deliver = (bytes) => {
        socket.off('close', end)
        buffer.set(bytes)
        resolve(bytes.length)
      }
      if (socket.destroyed) end()
      else socket.resume()
    })
  return { readSync: (buffer) => untilReady(() => readSync(STDIN, buffer)), read }
}
