/** `svc run <app>/<action>`: queues a job; with --wait it shows its log and progress, and prints its result. */
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import type { Command } from '../command.ts'
import { answered, type Ended, printEnded, queued, waitForJob, waitOption } from '../follow-job.ts'
import { inputOption, readInput } from '../input.ts'
import { readTarget, targetUsage } from '../named-target.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'
import { runAndWait } from '../run-and-wait.ts'

const finished = answered.extend({ job_id: z.string(), result: z.json().default(null) })

const runAndFollow = async (client: Client, path: string, json: unknown): Promise<Ended> => {
  const { job_id: id } = await client.call(queued, path, { method: 'POST', json })
  return waitForJob(client, id)
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('action', { type: 'string', describe: targetUsage('Action') })
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
    const { app, key } = await readTarget(flags, 'action')
    const json = await readInput(flags.input)
    const client = createClient()
    const path = `/jobs/run/${app}/${key}`
    if (flags.wait !== true) {
      const job = await client.call(queued, path, { method: 'POST', json })
      return printAnswer(flags, job, () => printLine(job.job_id))
    }
    const isQuiet = flags.quiet === true || !(await client.holds('jobs:read'))
    const ended = isQuiet
      ? await runAndWait(client, path, { json, ended: finished })
      : await runAndFollow(client, path, json)
    printEnded(flags, ended)
  },
}
