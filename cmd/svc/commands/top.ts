/** `svc top`: shows queues, workers and rates, redrawn each second. Without a terminal it prints them once. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { addUsage, type Command } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { type NodeStatus, readNodeStatus } from '../node-status.ts'
import { coloured, printLine, tableLines } from '../print.ts'

const SHORTEST_S = 0.5
const LONGEST_S = 60
const INTERVAL = `--interval must be a number of seconds from ${SHORTEST_S} to ${LONGEST_S}.`
const topArguments = z.object({
  interval: z.coerce.number(INTERVAL).min(SHORTEST_S, INTERVAL).max(LONGEST_S, INTERVAL).default(1),
})

const CLEAR = '\u001b[H\u001b[2J'
const BAR = 20

const bar = (running: number, of: number): string => {
  const filled = of === 0 ? 0 : Math.round((BAR * Math.min(running, of)) / of)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${running}/${of}`
}

/** Lines that a terminal keeps for the prompt and the last line of the display. */
const KEPT_LINES = 3

/**
 * Cuts the frame to the rows of the terminal; 0 means an unknown height. The queue is above
 * the workers, and the busiest of both come first.
 */
const cutTo = (frame: string, rows: number): string => {
  const lines = frame.split('\n')
  const room = Math.max(rows - KEPT_LINES, 1)
  if (rows === 0 || lines.length <= room) return frame
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines`].join('\n')
}

const frameOf = ({ endpoint, workspace, health, summary, workers }: NodeStatus): string => {
  const { completed_count, failed_count, recent_seconds } = summary
  const perMinute = (count: number): string => ((count * 60) / recent_seconds).toFixed(1)
  return [
    `${coloured('bold', 'svc')} ${endpoint}  ${workspace}  ${health.status}  ${new Date().toLocaleTimeString()}`,
    `${summary.queued_count} queued  ${summary.running_count} running  ${summary.suspended_count} suspended  ${perMinute(completed_count)} succeeded and ${perMinute(failed_count)} failed a minute`,
    '',
    ...tableLines(
      {
        TAG: ({ tag }) => tag,
        QUEUED: ({ queued }) => queued,
        RUNNING: ({ running }) => running,
      },
      summary.by_tag.toSorted((a, b) => b.queued + b.running - a.queued - a.running),
    ),
    '',
    ...tableLines(
      {
        WORKER: ({ name }) => name,
        SLOTS: ({ running, concurrency }) => bar(running, concurrency),
        TAGS: ({ tags }) => tags.join(' '),
        VERSION: ({ version }) => version,
      },
      workers.toSorted((a, b) => b.running - a.running),
    ),
  ].join('\n')
}

/**
 * Retries after an error, because the server may be restarting; the first frame has shown
 * that address and credential are right.
 */
const nextFrame = (client: Client): Promise<string> =>
  readNodeStatus(client).then(frameOf, (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    return `${coloured('bold', 'svc')} ${client.endpoint}  ${new Date().toLocaleTimeString()}\n\n${coloured('red', reason)}\nLooking again …`
  })

/** Aborted by `q`, Escape or Control-C. */
const endKeySignal = (): AbortSignal => {
  const ended = new AbortController()
  process.stdin.setRawMode(true)
  process.stdin.on('data', (key: Buffer) => {
    if (['q', '\u001b', '\u0003'].includes(key.toString('utf8'))) ended.abort()
  })
  return ended.signal
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      flags: {
        interval: textOption(`Seconds between updates, ${SHORTEST_S} to ${LONGEST_S} [default: 1]`),
      },
      examples: [['$0 top', '']],
    }),
  handler: async (flags) => {
    const everyMs = parseArguments(topArguments, flags).interval * 1_000
    const client = createClient()
    if (!process.stdout.isTTY || !process.stdin.isTTY) {
      return printLine(frameOf(await readNodeStatus(client)))
    }
    const ended = endKeySignal()
    try {
      let frame = frameOf(await readNodeStatus(client))
      while (!ended.aborted) {
        const shown = cutTo(frame, process.stdout.rows)
        process.stdout.write(CLEAR)
        printLine(`${shown}\n\n${coloured('dim', 'q ends it.')}`)
        await pause(everyMs, undefined, { signal: ended }).catch(() => undefined)
        if (!ended.aborted) frame = await nextFrame(client)
      }
    } finally {
      process.stdin.setRawMode(false)
      process.stdin.pause()
    }
  },
}
