/** `svc logs <job_id> [-f]`: what a job wrote, and with -f what it writes until it ends. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { printJson } from '../print.ts'

const logged = z.string()

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Server-sent events as they come: the text of each `log` event. */
const readEvents = async (
  body: ReadableStream<Uint8Array>,
  onText: (text: string) => void,
): Promise<void> => {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice('data: '.length))
        .join('\n')
      const parsed = logged.safeParse(toJson(data))
      if (parsed.success) onText(parsed.data)
    }
  }
}

export const logsCommand: CommandModule = {
  command: 'logs <job_id>',
  describe: 'Print what a job wrote',
  builder: (yargs) =>
    yargs
      .positional('job_id', { type: 'string', describe: 'Of the job' })
      .option('follow', { alias: 'f', type: 'boolean', default: false, describe: 'Until it ends' })
      .option('tail-bytes', {
        type: 'number',
        requiresArg: true,
        describe: 'Only so many at the end',
      })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print JSON: one document, or with -f one line for each part',
      })
      .example('$0 logs 01a1fd91-3d6b-770e-a570-5f660007cb1b -f', ''),
  handler: async (flags) => {
    const client = createClient()
    const query = flags['tail-bytes'] === undefined ? '' : `?tail_bytes=${flags['tail-bytes']}`
    const path = `/api/w/${await client.workspace()}/jobs/${encodeURIComponent(String(flags.job_id))}/logs${query}`
    const jobId = String(flags.job_id)
    if (flags.follow !== true) {
      const log = await (await client.fetch(path)).text()
      if (flags.json === true) printJson({ job_id: jobId, log })
      else process.stdout.write(log)
      return
    }
    const print = (log: string): void => {
      process.stdout.write(
        flags.json === true ? `${JSON.stringify({ job_id: jobId, log })}\n` : log,
      )
    }
    const answer = await client.fetch(path, { headers: { accept: 'text/event-stream' } })
    if (answer.body !== null) await readEvents(answer.body, print)
  },
}
