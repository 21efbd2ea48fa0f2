/** Waits for the end of a flow run; at a terminal its status and step go to standard error. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { isRunOver, RUN_STATUSES } from '#core/flow/run.ts'
import { orInterrupted } from './interrupt.ts'
import {
  endFailed,
  type Flags,
  printAnswer,
  printLine,
  printProgress,
  statusText,
} from './print.ts'

export const endedRun = z.looseObject({
  flow_run_id: z.string(),
  status: z.enum(RUN_STATUSES),
  result: z.json(),
  error: z.json(),
})
type EndedRun = z.infer<typeof endedRun>

const watched = endedRun.omit({ flow_run_id: true }).extend({
  current_step: z.looseObject({ key: z.string() }).nullable(),
  steps: z.array(z.looseObject({ key: z.string(), job_ids: z.array(z.string()) })).default([]),
})
type WatchedRun = z.infer<typeof watched>

const POLL_MS = 500
/** A loop may start hundreds of jobs in a minute. */
const COUNT_EVERY_MS = 5_000

/** Returns a function that prints the status and step of a run when they change, and the jobs of a loop every 5 s. */
const createRunPrinter = (): ((run: WatchedRun) => void) => {
  let shown = ''
  let jobs = 0
  let countedAt = 0
  return ({ status, current_step: at, steps }) => {
    const line = `${status}  ${at?.key ?? ''}`.trimEnd()
    const count = steps.find(({ key }) => key === at?.key)?.job_ids.length ?? 0
    const isNew = line !== shown
    if (!isNew && (count === jobs || performance.now() - countedAt < COUNT_EVERY_MS)) return
    printProgress(count > 1 ? `${line}  ${count} jobs so far` : line)
    shown = line
    jobs = count
    countedAt = performance.now()
  }
}

const untilOver = async (client: Client, id: string): Promise<WatchedRun> => {
  const print = createRunPrinter()
  for (;;) {
    const found = await outlast(() => client.call(watched, `/flow-runs/${id}`))
    if (isRunOver(found.status)) return found
    print(found)
    await pause(POLL_MS)
  }
}

export const waitOption = {
  type: 'boolean',
  default: false,
  describe: 'Wait for the end and print the result; a terminal also shows status and step',
} as const

/** Prints the status and result of a run. @throws {CommandFailed} the run did not complete */
export const printEndedRun = (flags: Flags, ended: EndedRun): void => {
  const { flow_run_id: id, status, result, error } = ended
  printAnswer(flags, { flow_run_id: id, status, result, error }, () =>
    printLine(`${statusText(status)}  ${JSON.stringify(error ?? result)}`),
  )
  if (status !== 'completed') endFailed(flags, `svc flows show ${id}`)
}

/**
 * Waits for the end of a run, and prints its status and result.
 * @throws {AppError} the server refused, or was not reached for a minute; {CommandFailed} the run did not complete
 */
export const waitForRun = async (client: Client, id: string, flags: Flags): Promise<void> => {
  const notice = `The run goes on. Show it: svc flows show ${id}. Cancel it: svc flows cancel ${id}`
  const ended = await orInterrupted(notice, untilOver(client, id))
  printEndedRun(flags, { ...ended, flow_run_id: id })
}
