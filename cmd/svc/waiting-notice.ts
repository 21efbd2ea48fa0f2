/** Shows on stderr what a followed job waits for: a worker, a time, an event. */
import process from 'node:process'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { coloured, printText } from './print.ts'

const job = z.looseObject({ waiting_for: z.looseObject({ detail: z.string() }).nullish() })

/** Milliseconds. A job that starts sooner needs no notice. */
const PATIENCE_MS = 1_000

export type WaitingNotice = Readonly<{
  onStatus: (status: string) => void
  /** Call it when the job has ended. */
  stop: () => void
}>

/** Each reason is shown once. A reason that cannot be read is omitted. */
export const createWaitingNotice = (client: Client, id: string): WaitingNotice => {
  let timer: NodeJS.Timeout | undefined
  let shown = ''
  const show = async (): Promise<void> => {
    const { waiting_for: waiting } = await client.call(job, `/jobs/${id}`)
    if (waiting === undefined || waiting === null || waiting.detail === shown) return
    shown = waiting.detail
    printText(`${coloured('dim', shown)}\n`, process.stderr)
  }
  return {
    onStatus: (status) => {
      clearTimeout(timer)
      if (status !== 'queued') return
      timer = setTimeout(() => void show().catch(() => undefined), PATIENCE_MS)
    },
    stop: () => clearTimeout(timer),
  }
}
