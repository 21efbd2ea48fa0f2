/** `svc logs <job_id> [-f]`: what a job wrote, and with -f what it writes until it ends. */
import process from 'node:process'
import { createClient } from '#cli-client/client.ts'
import { readEvents } from '#sdk/event-stream.ts'
import { addUsage, type Command } from '../command.ts'
import { jsonOption, printAnswer } from '../print.ts'
import { segment } from '../remote-command.ts'

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { job_id: 'Of the job' },
      flags: {
        follow: { alias: 'f', type: 'boolean', default: false, describe: 'Until it ends' },
        'tail-bytes': {
          type: 'number',
          requiresArg: true,
          describe: 'Only so many at the end',
        },
        json: {
          ...jsonOption,
          describe: 'Print JSON: one document, or with -f one line for each part',
        },
      },
      examples: [['$0 logs 01a1fd91-3d6b-770e-a570-5f660007cb1b -f', '']],
    }),
  handler: async (flags) => {
    const client = createClient()
    const query = flags['tail-bytes'] === undefined ? '' : `?tail_bytes=${flags['tail-bytes']}`
    const path = `/api/w/${await client.workspace()}/jobs/${segment(flags.job_id)}/logs${query}`
    const print = (log: string): void =>
      printAnswer(flags, { job_id: String(flags.job_id), log }, () => process.stdout.write(log))
    if (flags.follow !== true) return print(await (await client.fetch(path)).text())
    const answer = await client.fetch(path, { headers: { accept: 'text/event-stream' } })
    if (answer.body === null) return
    for await (const { event, data } of readEvents(answer.body)) {
      if (event === 'log') print(String(data))
    }
  },
}
