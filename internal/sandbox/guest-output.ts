/** What the guest sends: frames on stdout, and the log of a job as far as the host will take it. */
import type { GuestIo } from './guest-io.ts'
import type { GuestJob } from './guest-job.ts'
import { piecesOf } from './guest-log.ts'
import { encodeFrame, FRAME_KINDS, type FrameName } from './protocol.ts'

const { stringify } = JSON

export interface GuestOutput {
  send(run: number, name: FrameName, payload: string): void
  /** A line of log. Dropped when its job has ended, or is unknown. */
  log(job: GuestJob | undefined, text: string): void
}

export const createGuestOutput = (io: GuestIo, word: string): GuestOutput => {
  const encoder = new TextEncoder()
  const send = (run: number, name: FrameName, payload: string): void =>
    io.writeSync(encoder.encode(encodeFrame(word, FRAME_KINDS[name], { run, payload })))
  return {
    send,
    log: (job, text) => {
      if (job === undefined || job.ended || job.logLeft < 0) return
      // one character too many, so that the host sees that there was more
      const line = `${text}\n`.slice(0, job.logLeft + 1)
      job.logLeft -= line.length
      for (const piece of piecesOf(line)) send(job.run, 'log', stringify(piece))
    },
  }
}
