/** `svc logs <job_id> [-f]`: what a job wrote, and with -f what it writes until it ends. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { createClient } from '../remote/client.ts'

const logged = z.string()

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Server-sent events as they come: the text of each `log` event. */
const printEvents = async (body: ReadableStream<Uint8Array>): Promise<void> => {
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
      if (parsed.success) process.stdout.write(parsed.data)
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
      .example('$0 logs 01a1fd91-3d6b-770e-a570-5f660007cb1b -f', ''),
  handler: async (flags) => {
    const client = createClient()
    const query = flags['tail-bytes'] === undefined ? '' : `?tail_bytes=${flags['tail-bytes']}`
    const path = `/api/w/${await client.workspace()}/jobs/${encodeURIComponent(String(flags.job_id))}/logs${query}`
    if (flags.follow !== true) {
      process.stdout.write(await (await client.fetch(path)).text())
      return
    }
    const answer = await client.fetch(path, { headers: { accept: 'text/event-stream' } })
    if (answer.body !== null) await printEvents(answer.body)
  },
}
