/** `svc run <app>/<action>`: queues a job; with --wait it shows its log and progress, and prints its result. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { targetArgument } from '#cli-client/target.ts'
import { AppError } from '#core/error.ts'
import { readEvents } from '#sdk/event-stream.ts'
import type { Command } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import { CommandFailed } from '../exit.ts'
import { followLog } from '../follow-log.ts'
import { inputOption, readInput } from '../input.ts'
import { orInterrupted } from '../interrupt.ts'
import { coloured, jsonOption, printAnswer, printLine, printText, statusText } from '../print.ts'
import { progressText } from '../progress-bar.ts'
import { createWaitingNotice } from '../waiting-notice.ts'

const queued = z.looseObject({ job_id: z.string() })
const answered = z.looseObject({ status: z.string(), result: z.json().optional() })
const finished = answered.extend({ job_id: z.string() })

const WAIT_MS = 30_000
const POLL_MS = 300

type Ended = Readonly<{
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
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.kind === 'unavailable'

/** Waits in the request for half a minute at most, so that a short job needs no permission to read jobs. */
const runQuietly = async (client: Client, path: string, json: unknown): Promise<Ended> => {
  // with the same key, a second request waits for the job of the first
  const headers = { 'idempotency-key': randomUUID() }
  const request = { method: 'POST', json, headers } as const
  const send = () => client.call(finished, `${path}/wait?timeout_ms=${WAIT_MS}`, request)
  // a server that does not answer at all is reported at once
  await client.workspace()
  const {
    job_id,
    status,
    result = null,
  } = await send().catch((error: unknown) => {
    if (isUnavailable(error)) return outlast(send)
    throw error
  })
  return status === 'pending' ? untilEnded(client, job_id) : { job_id, status, result }
}

const progress = z.looseObject({ fraction: z.number(), note: z.string().nullish() })
const changed = z.looseObject({ status: z.string() })

const printProgress = (data: unknown): void => {
  const { fraction, note } = progress.parse(data)
  printText(`${coloured('dim', progressText({ fraction, note }))}\n`, process.stderr)
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
      if (event === 'progress') printProgress(data)
      if (event === 'status') notice.onStatus(changed.parse(data).status)
    }),
  ])
  const ended = await untilEnded(client, id)
  notice.stop()
  // a broken stream only shows less; the result counts
  await streams
  return ended
}

const runAndFollow = async (client: Client, path: string, json: unknown): Promise<Ended> => {
  const { job_id: id } = await client.call(queued, path, { method: 'POST', json })
  return orInterrupted(
    `The job goes on. Follow it: svc logs ${id} -f. Cancel it: svc jobs cancel ${id}`,
    followToEnd(client, id),
  )
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('action', { type: 'string', describe: 'Action, as <app>/<action>' })
      .option('input', inputOption)
      .option('wait', {
        type: 'boolean',
        default: false,
        describe: 'Wait for the result; log and progress go to standard error',
      })
      .option('quiet', {
        type: 'boolean',
        default: false,
        describe: 'With --wait, print neither log nor progress',
      })
      .option('json', jsonOption)
      .example('$0 run hello/greet --input \'{"name":"Ada"}\' --wait', ''),
  handler: async (flags) => {
    const { app, key } = parseArguments(targetArgument('action'), flags)
    const json = await readInput(flags.input)
    const client = createClient()
    const path = `/jobs/run/${app}/${key}`
    if (flags.wait !== true) {
      const job = await client.call(queued, path, { method: 'POST', json })
      return printAnswer(flags, job, () => printLine(job.job_id))
    }
    const isQuiet = flags.quiet === true || !(await client.holds('jobs:read'))
    const ended = await (isQuiet ? runQuietly : runAndFollow)(client, path, json)
    printAnswer(flags, ended, () =>
      printLine(`${statusText(ended.status)}  ${JSON.stringify(ended.result)}`),
    )
    if (ended.status === 'success') return
    if (flags.json !== true) {
      printText(`${coloured('dim', `See more: svc jobs show ${ended.job_id}`)}\n`, process.stderr)
    }
    throw new CommandFailed()
  },
}
