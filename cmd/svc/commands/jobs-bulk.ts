/** `svc jobs cancel|replay --filter` starts one operation on all matching jobs and follows it to its end; `stop` stops one. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { outlast } from '#cli-client/outlast.ts'
import { conflict } from '#core/error.ts'
import type { OperationKind } from '#core/job/operation.ts'
import { textOption } from '../command-arguments.ts'
import { confirm, isAtTerminal } from '../confirm.ts'
import { CommandFailed, UsageError } from '../exit.ts'
import { orInterrupted } from '../interrupt.ts'
import { type Flags, printAnswer, printLine, showProgress, statusText } from '../print.ts'
import { showBar } from '../progress-bar.ts'
import { relativeTime } from '../relative-time.ts'
import { limitOption, listCommand, remoteCommand, segment } from '../remote-command.ts'

const FIELDS = ['status', 'app', 'action', 'label', 'since', 'until'] as const
const FORM = `--filter takes ${FIELDS.join(', ')}, for example --filter status=failure,app=shop.`

type Filter = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>

/** @throws {UsageError} */
const readFilter = (text: unknown): Filter => {
  const pairs = String(text)
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  const names: readonly string[] = FIELDS
  const isBad = pairs.some(([name, value]) => !names.includes(name) || value === '')
  if (isBad || pairs.length === 0) throw new UsageError(FORM)
  const twice = pairs.find(([name], at) => pairs.findIndex(([each]) => each === name) !== at)
  if (twice !== undefined) throw new UsageError(`--filter names ${twice[0]} twice.`)
  return Object.fromEntries(pairs)
}

const EVERY_MS = 500

const matchedAnswer = z.looseObject({ matched: z.number() })
const accepted = z.looseObject({ operation_id: z.string(), matched: z.number() })
const operation = z.looseObject({
  status: z.string(),
  // a server before this field stops none
  stopped: z.boolean().default(false),
  matched: z.number(),
  done: z.number(),
  failed: z.number(),
})
type Operation = z.infer<typeof operation>

const follow = async (client: Client, id: string): Promise<Operation> => {
  for (;;) {
    const now = await outlast(() => client.call(operation, `/operations/${id}`))
    showBar(now.done + now.failed, now.matched)
    if (now.status !== 'running') {
      showProgress('')
      return now
    }
    await pause(EVERY_MS)
  }
}

export const bulkFlags = {
  filter: textOption('All jobs that match, such as app=shop,status=failure'),
  yes: { type: 'boolean', default: false, describe: 'Do not ask for confirmation' },
} as const

/** Counts, asks, and acts on all jobs that match the filter. @throws {AppError} the server refused; {UsageError} */
export const actOnMatching = async (act: OperationKind, flags: Flags): Promise<void> => {
  const json = { do: act, filter: readFilter(flags.filter) }
  const client = createClient()
  const post = { method: 'POST', json } as const
  const { matched } = await client.call(matchedAnswer, '/jobs/bulk', {
    ...post,
    json: { ...json, dry_run: true },
  })
  if (matched === 0) return printAnswer(flags, { matched }, () => printLine('No job matches.'))
  const what = `${act} ${matched.toLocaleString('en-US')} ${matched === 1 ? 'job' : 'jobs'}`
  if (flags.yes !== true && !(await confirm(`This will ${what}. Go on? [y/N] `))) {
    const next = isAtTerminal() ? '' : ' Run it with --yes to go on.'
    throw conflict(`This would ${what}. Nothing was done.${next}`)
  }
  const { operation_id } = await client.call(accepted, '/jobs/bulk', post)
  const ended = await orInterrupted(
    `It continues on the server. To stop it: svc jobs stop ${operation_id}`,
    follow(client, operation_id),
  )
  printAnswer(flags, { operation_id, ...ended }, () => printLine(resultText(act, ended)))
  if (ended.status === 'failed' || ended.stopped) throw new CommandFailed()
}

const VERBS: Readonly<Record<string, string>> = { cancel: 'Canceled', replay: 'Replayed' }

const resultText = (kind: string, { stopped, done, matched, failed }: Operation): string =>
  `${stopped ? 'Stopped. ' : ''}${VERBS[kind] ?? kind} ${done} of ${matched}. ${failed} failed.`

const row = operation.extend({
  id: z.string(),
  kind: z.string(),
  created_by: z.string(),
  created_at: z.string(),
})

export const operationsCommand = listCommand({
  command: 'operations',
  describe: 'List cancels and replays of many jobs, newest first',
  path: '/operations',
  query: { limit: limitOption },
  row,
  columns: {
    OPERATION: ({ id }) => id,
    KIND: ({ kind }) => kind,
    STATUS: ({ stopped, status }) => statusText(stopped ? 'stopped' : status),
    DONE: ({ done, matched }) => `${done}/${matched}`,
    FAILED: ({ failed }) => failed,
    BY: (each) => each.created_by,
    CREATED: (each) => relativeTime(each.created_at),
  },
  none: 'No operations.',
})

export const stopCommand = remoteCommand({
  command: 'stop <operation>',
  describe: 'Stop a cancel or replay of many jobs',
  positionals: { operation: 'Operation ID' },
  answer: row,
  request: ({ operation: id }) => ({ path: `/operations/${segment(id)}/stop`, method: 'POST' }),
  print: (found) => {
    const before = found.status !== 'running' && !found.stopped ? 'It had already ended. ' : ''
    printLine(`${before}${resultText(found.kind, found)}`)
  },
})
