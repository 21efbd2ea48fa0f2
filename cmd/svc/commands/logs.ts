/** `svc logs <job_id> [-f] [-t]`: prints the log of a job; -f follows it until the job ends, -t adds time and stream. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { createTail } from '#core/job/log-tail.ts'
import { addUsage, type Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { followLog } from '../follow-log.ts'
import { coloured, jsonOption, printAnswer, printLine, printText } from '../print.ts'
import { segment } from '../remote-command.ts'

const logItems = z.object({
  items: z.array(z.looseObject({ at: z.string(), stream: z.string(), text: z.string() })),
})
type LogItems = z.infer<typeof logItems>

const printTimed = ({ items }: LogItems): void => {
  for (const { at, stream, text } of items) {
    const name = stream === 'stderr' ? coloured('red', stream) : stream.padEnd(6)
    for (const line of text.replace(/\n$/, '').split('\n')) {
      printLine(`${coloured('dim', at)} ${name} ${line}`)
    }
  }
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { job_id: 'Job ID' },
      flags: {
        follow: {
          alias: 'f',
          type: 'boolean',
          default: false,
          describe: 'Follow the log until the job ends',
        },
        timestamps: {
          alias: 't',
          type: 'boolean',
          default: false,
          describe: 'Print the time and stream of each line',
        },
        'tail-bytes': {
          type: 'number',
          requiresArg: true,
          describe: 'Print only this many bytes from the end',
        },
        json: {
          ...jsonOption,
          describe: 'Print JSON; with -f one object on each line',
        },
      },
      examples: [
        ['$0 logs 01a1fd91-3d6b-770e-a570-5f660007cb1b -f', ''],
        ['$0 logs 01a1fd91-3d6b-770e-a570-5f660007cb1b -t', ''],
      ],
    }),
  handler: async (flags) => {
    if (flags.follow === true && flags.timestamps === true) {
      throw new UsageError('--timestamps cannot be combined with --follow.')
    }
    const tailBytes = flags['tail-bytes']
    if (tailBytes !== undefined && !(Number.isInteger(tailBytes) && Number(tailBytes) >= 0)) {
      throw new UsageError('--tail-bytes must be a whole number, 0 or more.')
    }
    const job = segment(flags.job_id)
    const client = createClient()
    const query = new URLSearchParams()
    if (tailBytes !== undefined) query.set('tail_bytes', String(tailBytes))
    if (flags.timestamps === true) query.set('format', 'json')
    const log = `/api/w/${await client.workspace()}/jobs/${job}/logs`
    const path = `${log}?${query}`
    if (flags.timestamps === true) {
      const answer = await client.read(logItems, path)
      return printAnswer(flags, answer, () => printTimed(answer))
    }
    const print = (log: string): void =>
      printAnswer(flags, { job_id: String(flags.job_id), log }, () => printText(log))
    if (flags.follow !== true) return print(await client.text(path))
    if (tailBytes === undefined) return followLog(client, log, print)
    // a stream that is opened again needs a place that is counted from the beginning
    const before = await client.text(log)
    const bytes = Buffer.from(before)
    const tail = createTail(bytes.length - Number(tailBytes))(bytes)
    if (tail.length > 0) print(new TextDecoder().decode(tail))
    await followLog(client, log, print, { printed: before.length })
  },
}
