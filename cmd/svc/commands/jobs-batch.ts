/** `svc jobs batch file.ndjson`: queues one job per line, up to 1,000 in one commit. */
import { createReadStream } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { chunksOf } from '#core/chunks-of.ts'
import { AppError } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { addUsage, type Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { namedFile } from '../named-file.ts'
import { jsonOption, printAnswer, printLine, showProgress } from '../print.ts'
import { showBar } from '../progress-bar.ts'

/** Jobs per request. */
const PORTION = 1_000

const item = z.object({ app: z.string(), action: z.string() }).catchall(z.json())
type Line = Readonly<{ number: number; item: z.infer<typeof item> }>

/** An older server answers without `queued`. */
const answered = z.looseObject({ job_ids: z.array(z.string()), queued: z.number().optional() })

/** @throws {UsageError} a line is not an item; {Error} the file cannot be read */
const readLines = async (path: string): Promise<readonly Line[]> => {
  // yargs turns a single dash into an empty text
  const input = path === '-' || path === '' ? process.stdin : createReadStream(namedFile(path))
  const lines: Line[] = []
  let number = 0
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (text.trim() === '') continue
    const parsed = item.safeParse(parseJsonOrNull(text))
    if (!parsed.success) {
      throw new UsageError(
        `Line ${number} is not a job: each line is {"app": …, "action": …, "input": {…}}. Nothing was sent.`,
      )
    }
    lines.push({ number, item: parsed.data })
  }
  return lines
}

const jobs = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'job was' : 'jobs were'}`

/** Lines with a used key, or of a debounced action, make no job. */
const without = (count: number): string =>
  count === 0
    ? ''
    : ` ${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'} made no new job: the idempotency_key was used before, or the action is debounced.`

/** Replaces `items[i]` in the server's error with the number of the line. */
const atLine = (error: AppError, portion: readonly Line[], queuedBefore: number): AppError => {
  const toLine = (text: string): string =>
    text.replaceAll(/(?:body\.)?items(?:\[|\.)(\d+)\]?/g, (whole, index: string) => {
      const line = portion[Number(index)]
      return line === undefined ? whole : `line ${line.number}`
    })
  const details = error.details?.map(({ path, message }) => ({ path: toLine(path), message }))
  const first = portion[0]?.number ?? 0
  const before = `${jobs(queuedBefore)} queued, none from line ${first} on.`
  const message = toLine(error.message)
  const sep = message.includes('\n') ? '\n' : ' '
  return new AppError(error.kind, `${message}${sep}${before}`, {
    code: error.code,
    cause: error,
    ...(details === undefined ? {} : { details }),
  })
}

export const batchCommand: Command & Readonly<{ command: string; describe: string }> = {
  command: 'batch <file>',
  describe: 'Queue a job for each line of a file',
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: {
        file: 'One {app, action, input?, idempotency_key?} on each line, or - for standard input',
      },
      flags: { json: jsonOption },
      examples: [
        ['$0 jobs batch orders.ndjson', 'Safe to repeat if each line has an idempotency_key'],
      ],
    }),
  handler: async (flags) => {
    const lines = await readLines(String(flags.file))
    if (lines.length === 0) throw new UsageError('The file has no lines.')
    const client = createClient()
    const ids: string[] = []
    let queued = 0
    try {
      for (const portion of chunksOf(lines, PORTION)) {
        const json = { items: portion.map((line) => line.item) }
        try {
          const made = await client.call(answered, '/jobs/batch', { method: 'POST', json })
          ids.push(...made.job_ids)
          queued += made.queued ?? made.job_ids.length
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          throw atLine(error, portion, queued)
        }
        showBar(ids.length, lines.length)
      }
    } finally {
      showProgress('')
    }
    printAnswer(flags, { job_ids: ids, queued }, () =>
      printLine(`${jobs(queued)} queued.${without(ids.length - queued)}`),
    )
  },
}
