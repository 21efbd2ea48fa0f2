/** Waits for the end of a job; its log goes to standard error, at a terminal with its progress. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { readEvents } from '#sdk/event-stream.ts'
import { followLog } from './follow-log.ts'
import { orInterrupted } from './interrupt.ts'
import {
  endFailed,
  type Flags,
  printAnswer,
  printLine,
  printProgress,
  printText,
  statusText,
} from './print.ts'
import { progressText } from './progress-bar.ts'
import { createWaitingNotice } from './waiting-notice.ts'

export const queued = z.looseObject({ job_id: z.string() })
export const answered = z.looseObject({ status: z.string(), result: z.json().optional() })

const POLL_MS = 300

export type Ended = Readonly<{
  job_id: string
  status: string
  result: z.output<ReturnType<typeof z.json>>
}>

/** @throws {AppError} the server refused, or was not reached for a minute */
const untilEnded = async (client: Client, id: string): Promise<Ended> => {
  for (;;) {
    const { status, result = null } = await outlast(() =>
      client.call(answered, `/jobs/${id}/result`),
    )
    if (status !== 'pending') return { job_id: id, status, result }
    await pause(POLL_MS)
  }
}

const progress = z.looseObject({ fraction: z.number(), note: z.string().nullish() })
const changed = z.looseObject({ status: z.string() })

const showFraction = (data: unknown): void => {
  const { fraction, note } = progress.parse(data)
  printProgress(progressText({ fraction, note }))
}

type OnEvent = (event: string, data: unknown) => void

/** Passes the events of a job's stream to `onEvent` until it ends. */
const follow = async (client: Client, path: string, onEvent: OnEvent): Promise<void> => {
  const { body } = await client.fetch(path, { headers: { accept: 'text/event-stream' } })
  if (body === null) return
  for await (const { event, data } of readEvents(body)) onEvent(event, data)
}

const followToEnd = async (client: Client, id: string): Promise<Ended> => {
  const notice = createWaitingNotice(client, id)
  const job = `/api/w/${await client.workspace()}/jobs/${id}`
  const streams = Promise.allSettled([
    followLog(client, `${job}/logs`, (log) => printText(log, process.stderr)),
    follow(client, `${job}/events`, (event, data) => {
      if (event === 'progress') showFraction(data)
      if (event === 'status') notice.onStatus(changed.parse(data).status)
    }),
  ])
  const ended = await untilEnded(client, id)
  notice.stop()
  // a broken stream only shows less; the result counts
  await streams
  return ended
}

/** Waits for a job with its log and progress. @throws {AppError} the server refused, or was not reached for a minute */
export const waitForJob = (client: Client, id: string): Promise<Ended> =>
  orInterrupted(
    `The job goes on. Follow it: svc logs ${id} -f. Cancel it: svc jobs cancel ${id}`,
    followToEnd(client, id),
  )

export const waitOption = {
  type: 'boolean',
  default: false,
  describe: 'Wait for the result; the log goes to standard error, at a terminal with progress',
} as const

/** Prints the status and result of a job. @throws {CommandFailed} the job did not succeed */
export const printEnded = (flags: Flags, ended: Ended): void => {
  printAnswer(flags, ended, () =>
    printLine(`${statusText(ended.status)}  ${JSON.stringify(ended.result)}`),
  )
  if (ended.status !== 'success') endFailed(flags, `svc jobs show ${ended.job_id}`)
}
