/** `svc run <app>/<action>`: queues a job; with --wait it shows its log and progress, and prints its result. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { targetArgument } from '#cli-client/target.ts'
import { AppError } from '#core/error.ts'
import type { Command } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import {
  answered,
  type Ended,
  printEnded,
  queued,
  untilEnded,
  waitForJob,
  waitOption,
} from '../follow-job.ts'
import { inputOption, readInput } from '../input.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'

const finished = answered.extend({ job_id: z.string() })

const WAIT_MS = 30_000

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

const runAndFollow = async (client: Client, path: string, json: unknown): Promise<Ended> => {
  const { job_id: id } = await client.call(queued, path, { method: 'POST', json })
  return waitForJob(client, id)
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('action', { type: 'string', describe: 'Action, as <app>/<action>' })
      .option('input', inputOption)
      .option('wait', waitOption)
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
    const ended = isQuiet
      ? await runQuietly(client, path, json)
      : await runAndFollow(client, path, json)
    printEnded(flags, ended)
  },
}
