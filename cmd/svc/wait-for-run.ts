/** Waits for the end of a flow run; its status and step go to standard error. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { isRunOver, RUN_STATUSES } from '#core/flow/run.ts'
import { orInterrupted } from './interrupt.ts'
import { coloured, printText } from './print.ts'

const watched = z.looseObject({
  status: z.enum(RUN_STATUSES),
  current_step: z.looseObject({ key: z.string() }).nullable(),
  result: z.json(),
  error: z.json(),
})
export type EndedRun = z.infer<typeof watched>

const POLL_MS = 500

const untilOver = async (client: Client, id: string): Promise<EndedRun> => {
  let shown = ''
  for (;;) {
    const found = await outlast(() => client.call(watched, `/flow-runs/${id}`))
    if (isRunOver(found.status)) return found
    const line = `${found.status}  ${found.current_step?.key ?? ''}`.trimEnd()
    if (line !== shown) printText(`${coloured('dim', line)}\n`, process.stderr)
    shown = line
    await pause(POLL_MS)
  }
}

/** @throws {AppError} the server refused, or was not reached for a minute */
export const waitForRun = (client: Client, id: string): Promise<EndedRun> =>
  orInterrupted(
    `The run goes on. Show it: svc flows show ${id}. Cancel it: svc flows cancel ${id}`,
    untilOver(client, id),
  )
