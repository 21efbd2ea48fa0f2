/**
 * What the guest sends: frames on stdout, and the log of a job as far as the host accepts it.
 *
 * The frame word stays hidden from user code. It is kept as bytes, which a heap snapshot does not show, and no method that
 * user code can replace sees those bytes. Only functions that were saved before user code was loaded touch them.
 */

import { FRAME_KINDS, FRAME_MARK, type FrameName, frameText } from '../protocol/messages.ts'
import type { GuestIo } from './io/guest-io.ts'
import type { GuestJob } from './job.ts'
import { piecesOf } from './log.ts'

const { stringify } = JSON
const { apply } = Reflect
const { ArrayBuffer: Memory, Uint8Array: Bytes } = globalThis
const { encode } = TextEncoder.prototype
const { set } = Bytes.prototype
const encoder = new TextEncoder()

/** The stream of the job's log that a line belongs to. */
export type LogStream = 'log' | 'stdout' | 'stderr'

export interface GuestOutput {
  send(run: number, name: FrameName, payload: string): void
  /** Logs a text. Drops it if its job has ended or is unknown. */
  log(job: GuestJob | undefined, stream: LogStream, text: string): void
}

/** The bytes before each frame. */
export const frameMarker = (word: string): Uint8Array => encoder.encode(`${FRAME_MARK}${word}`)

/** Writes frames and logs to the host. @param marker the bytes before each frame */
export const createGuestOutput = (io: GuestIo, marker: Uint8Array): GuestOutput => {
  const markerLength = marker.length

  const send = (run: number, name: FrameName, payload: string): void => {
    const text = apply(encode, encoder, [frameText(FRAME_KINDS[name], { run, payload })])
    // user code may replace the length property of the text; the text itself is not secret
    const length = markerLength + text.length
    const buffer = new Memory(length)
    const bytes = new Bytes(buffer)
    apply(set, bytes, [marker, 0])
    apply(set, bytes, [text, markerLength])
    for (let at = io.writeSync(bytes); at < length; ) {
      at += io.writeSync(new Bytes(buffer, at))
    }
  }

  return {
    send,
    log: (job, stream, text) => {
      if (job === undefined || job.ended || job.logLeft < 0) return
      // one character too many shows the host that there was more
      const kept = text.slice(0, job.logLeft + 1)
      job.logLeft -= kept.length
      for (const piece of piecesOf(kept)) send(job.run, stream, stringify(piece))
    },
  }
}
