/** Starts a job or a flow run and waits for its end in the requests themselves, so that the caller needs no permission to read it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { AppError, conflict } from '#core/error.ts'
import { HOUR_MS } from '#core/time-units.ts'

const WAIT_MS = 30_000
const PAUSE_MS = 300
/** Servers keep the key of the requests for 24 hours; a later request would start another job or run. */
const LONGEST_WAIT_MS = 23 * HOUR_MS

const pending = z.looseObject({
  status: z.literal('pending'),
  job_id: z.string().optional(),
  flow_run_id: z.string().optional(),
})
type Pending = z.output<typeof pending>

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.kind === 'unavailable'

/** Names what goes on, with the command that shows its end to a token that may read it. */
const waitedLong = (last: Pending | null): AppError => {
  // a machine may have slept for a day before the first answer
  const { job_id: job, flow_run_id: run } = last ?? {}
  const [name, show] =
    run === undefined
      ? [job === undefined ? 'job' : `job ${job}`, `svc jobs show ${job ?? '<id>'}`]
      : [`flow run ${run}`, `svc flows show ${run}`]
  return conflict(
    `The ${name} has not ended in 23 hours, and goes on. A token that may read it shows its end: ${show}`,
    { code: 'waited_long' },
  )
}

/**
 * @param path that starts it
 * @param ended the response when it has ended
 * @throws {AppError} the server refused, or was not reached for a minute, or 23 hours are over
 */
export const runAndWait = async <Ended extends z.ZodType>(
  client: Client,
  path: string,
  { json, ended }: Readonly<{ json: unknown; ended: Ended }>,
): Promise<z.output<Ended>> => {
  // with the same key, each later request waits for what the first has started
  const headers = { 'idempotency-key': randomUUID() }
  const request = { method: 'POST', json, headers } as const
  const answered = z.union([pending, ended])
  // by the clock of the day, because a machine may sleep meanwhile
  const until = Date.now() + LONGEST_WAIT_MS
  let last: Pending | null = null
  const send = async () => {
    if (Date.now() > until) throw waitedLong(last)
    return client.call(answered, `${path}/wait?timeout_ms=${WAIT_MS}`, request)
  }
  // a server that does not answer at all is reported at once
  await client.workspace()
  let answer = await send().catch((error: unknown) => {
    if (isUnavailable(error)) return outlast(send)
    throw error
  })
  for (;;) {
    const { success, data } = pending.safeParse(answer)
    if (!success) return ended.parse(answer)
    last = data
    // a server with many large bodies answers at once
    await pause(PAUSE_MS)
    answer = await outlast(send)
  }
}
