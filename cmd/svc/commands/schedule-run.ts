/** `svc schedules run`: starts what a schedule starts, now or once for each of its fire times in a period. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { AppError } from '#core/error.ts'
import { parseTiming } from '#core/schedule/timing.ts'
import { addUsage } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { UsageError } from '../exit.ts'
import { readTime } from '../list-filters.ts'
import { SCHEDULE_ARGUMENT, scheduleId } from '../named-schedule.ts'
import { type Flags, jsonOption, printAnswer, printLine, showProgress } from '../print.ts'
import { showBar } from '../progress-bar.ts'
import { type NamedCommand, segment } from '../remote-command.ts'

/** A longer period may be a slip of the keyboard; it can be run in parts. */
const MOST_TIMES = 1_000
/** Fire times of one preview. */
const PREVIEWED = 100
const PAUSE_MS = 1_000

const schedule = z.looseObject({
  cron: z.string(),
  timezone: z.string(),
  next_fire_at: z.string().nullable(),
  last_fire_at: z.string().nullable(),
  created_at: z.string(),
})
const previewed = z.object({ fire_times: z.array(z.string()) })
const started = z.looseObject({ job_id: z.string().optional(), flow_run_id: z.string().optional() })

type Period = Readonly<{ from: number; until: number }>

/** @returns null to start at once, for the present time @throws {UsageError} */
const readPeriod = (flags: Flags, now: number): Period | null => {
  const { at, from, until } = flags
  if (at !== undefined && (from !== undefined || until !== undefined)) {
    throw new UsageError('Give --at for one time, or --from and --until for a period.')
  }
  if (at === undefined && from === undefined && until === undefined) return null
  if (at !== undefined) {
    const time = Date.parse(readTime('at', at, now))
    return { from: time, until: time }
  }
  if (from === undefined) throw new UsageError('--until needs --from, where the period begins.')
  const start = Date.parse(readTime('from', from, now))
  const end = until === undefined ? now : Date.parse(readTime('until', until, now))
  if (end < start) {
    throw new UsageError(
      until === undefined
        ? '--from is in the future. Give --until too, or an earlier --from.'
        : '--until must not be before --from.',
    )
  }
  return { from: start, until: end }
}

/**
 * Returns the time after which the first fire time of the period comes. Those of `@every` are whole intervals from the next one, so
 * that the same times are found wherever the period begins.
 */
const beginOf = (found: z.output<typeof schedule>, from: number): number => {
  const { timing } = parseTiming(found.cron, found.timezone)
  if (timing?.kind !== 'every') return from - 1
  const fires = Date.parse(found.next_fire_at ?? found.last_fire_at ?? found.created_at)
  return fires + Math.floor((from - 1 - fires) / timing.everyMs) * timing.everyMs
}

/** Lists the fire times of a schedule in a period, both ends included. @throws {UsageError} too many */
const fireTimesIn = async (
  client: Client,
  id: string,
  { from, until }: Period,
): Promise<readonly string[]> => {
  const found = await client.call(schedule, `/schedules/${segment(id)}`)
  const { cron, timezone } = found
  const times: string[] = []
  for (let after = beginOf(found, from); ; ) {
    const json = { cron, timezone, count: PREVIEWED, from: new Date(after).toISOString() }
    const page = await client.call(previewed, '/schedules/preview', { method: 'POST', json })
    const within = page.fire_times.filter((time) => Date.parse(time) <= until)
    times.push(...within)
    if (times.length > MOST_TIMES) {
      throw new UsageError(
        `The schedule has more than ${MOST_TIMES.toLocaleString('en-US')} fire times in this period. Nothing was started. Run it in parts.`,
      )
    }
    const last = within.at(-1)
    if (last === undefined || within.length < PREVIEWED) return times
    after = Date.parse(last)
  }
}

/** The ids of what runs for the fire times, and how many of them an earlier command had started. */
type Started = Readonly<{ ids: readonly string[]; before: number }>

const idOf = ({ job_id: job, flow_run_id: run }: z.output<typeof started>): string =>
  job ?? run ?? ''

const pathOf = (id: string): string => `/schedules/${segment(id)}/run`

/** Starts one for a fire time, and waits while the server limits requests or the queue is full. */
const startFor = async (client: Client, id: string, fireTime: string): Promise<Started> => {
  const path = `/api/w/${await client.workspace()}${pathOf(id)}`
  const json = { fire_time: fireTime }
  const headers = { 'idempotency-key': fireTime }
  for (;;) {
    try {
      const answer = await client.fetch(path, { method: 'POST', json, headers })
      const isReplayed = answer.headers.get('idempotency-replayed') === 'true'
      return { ids: [idOf(started.parse(await answer.json()))], before: isReplayed ? 1 : 0 }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'rate_limited') throw error
    }
    await pause(PAUSE_MS)
  }
}

const startAll = async (client: Client, id: string, times: readonly string[]): Promise<Started> => {
  const ids: string[] = []
  let before = 0
  try {
    for (const time of times) {
      const each = await startFor(client, id, time)
      ids.push(...each.ids)
      before += each.before
      showBar(ids.length, times.length)
    }
  } finally {
    showProgress('')
  }
  return { ids, before }
}

const summaryOf = ({ ids, before }: Started): string => {
  const made = ids.length - before
  const sentence = `Started for ${made} fire ${made === 1 ? 'time' : 'times'}.`
  if (before === 0) return sentence
  return `${sentence} ${before} ${before === 1 ? 'was' : 'were'} started before.`
}

export const runCommand: NamedCommand = {
  command: 'run <id>',
  describe: 'Start what a schedule starts, now or for past fire times',
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { id: SCHEDULE_ARGUMENT },
      flags: {
        at: textOption('Run for this one time, which ctx.trigger.fireTime then is'),
        from: textOption('Run for each fire time since then: a time, a date, or 7d for 7 days ago'),
        until: textOption('The last fire time of --from; without it, now'),
        json: jsonOption,
      },
      examples: [
        ['$0 schedules run shop/nightly', 'Now'],
        ['$0 schedules run shop/nightly --from 2026-11-01', 'Safe to repeat'],
      ],
    }),
  handler: async (flags) => {
    const period = readPeriod(flags, Date.now())
    const client = createClient()
    const id = await scheduleId(() => client, String(flags.id))
    if (period === null) {
      const found = await client.call(started, pathOf(id), { method: 'POST', json: {} })
      printAnswer(flags, found, () => printLine(idOf(found)))
      return
    }
    const times =
      flags.at === undefined
        ? await fireTimesIn(client, id, period)
        : [new Date(period.from).toISOString()]
    const done = await startAll(client, id, times)
    printAnswer(flags, { ids: done.ids }, () => printLine(summaryOf(done)))
  },
}
