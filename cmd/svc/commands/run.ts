/** `svc run <app>/<action>`: queues a job, or waits for what it returns. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { targetArgument } from '#cli-client/target.ts'
import type { Command } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import { CommandFailed } from '../exit.ts'
import { inputOption, readInput } from '../input.ts'
import { jsonOption, printAnswer, printLine, statusText } from '../print.ts'

const queued = z.looseObject({ job_id: z.string() })
const finished = z.looseObject({
  job_id: z.string(),
  status: z.string(),
  result: z.json().optional(),
})

const WAIT_MS = 30_000

/** Asks again while it is pending: one answer takes half a minute at most. */
const waitFor = async (client: ReturnType<typeof createClient>, path: string, json: unknown) => {
  const first = await client.call(finished, `${path}/wait?timeout_ms=${WAIT_MS}`, {
    method: 'POST',
    json,
  })
  let { status, result } = first
  while (status === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const answer = z.looseObject({ status: z.string(), result: z.json().optional() })
    ;({ status, result } = await client.call(answer, `/jobs/${first.job_id}/result`))
  }
  return { job_id: first.job_id, status, result: result ?? null }
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('action', { type: 'string', describe: '<app>/<action>' })
      .option('input', inputOption)
      .option('wait', { type: 'boolean', default: false, describe: 'Until it has ended' })
      .option('json', jsonOption)
      .example('$0 run hello/greet --input \'{"name":"Ada"}\' --wait', ''),
  handler: async (flags) => {
    const { app, key } = parseArguments(targetArgument('action'), flags)
    const json = await readInput(flags.input)
    const client = createClient()
    const path = `/jobs/run/${app}/${key}`
    if (flags.wait !== true) {
      const answer = await client.call(queued, path, { method: 'POST', json })
      return printAnswer(flags, answer, () => printLine(answer.job_id))
    }
    const ended = await waitFor(client, path, json)
    printAnswer(flags, ended, () =>
      printLine(`${statusText(ended.status)}  ${JSON.stringify(ended.result)}`),
    )
    if (ended.status !== 'success') throw new CommandFailed()
  },
}
