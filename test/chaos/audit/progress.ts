/** Progress (invariant I18): a run in which little happened proves nothing, because a fleet that is at rest breaks nothing. */

import type { FaultLog } from '../fault-log.ts'
import type { Fault, FaultCounts } from '../nemesis.ts'
import { type Finding, violationsOf } from './finding.ts'
import type { AuditInput } from './input.ts'
import type { JobRow } from './job-rows.ts'

/**
 * Per second of the run. A quiet two-core machine does several times as much, and one
 * that runs the whole test suite at the same time still does more.
 */
const FLOORS = {
  faults: 0.5,
  'killed nodes': 0.05,
  acknowledged: 1,
  successes: 2,
  approvals: 0.25,
  functions: 0.1,
  fires: 0.5,
  'durable jobs': 0.05,
}
/** Figures that all workspaces of a run share. */
const OF_THE_RUN: ReadonlySet<string> = new Set(['faults', 'killed nodes'])
/** A workspace that is moved does only this fraction of the work, because it pauses for seconds in each move. */
const MOVED_PART = 4
/** The least share of requests that must succeed. */
const MIN_ANSWERED = 0.5
/** Some request must succeed within any period of this length. */
const MAX_SILENCE_S = 10
/** A shorter run may end before each kind of fault has found a node that can take it. */
const WHOLE_DECK_S = 60

type Silence = Readonly<{ seconds: number; from: number }>

const longestSilence = (seconds: ReadonlySet<number>, from: number, until: number): Silence => {
  let longest: Silence = { seconds: 0, from }
  let last = from
  const inside = [...seconds].filter((second) => second >= from && second <= until)
  for (const second of [...inside.toSorted((a, b) => a - b), until]) {
    if (second - last > longest.seconds) longest = { seconds: second - last, from: last }
    last = second
  }
  return longest
}

/** A silence with the faults from ten seconds before it on, in seconds after its beginning. */
const describeSilence = ({ spans }: FaultLog, { seconds, from }: Silence): string => {
  const secondOf = (ms: number): string => (ms / 1_000 - from).toFixed(1)
  const told = spans
    .filter((span) => span.until / 1_000 >= from - 10 && span.from / 1_000 <= from + seconds)
    .map((span) => `${span.who} ${span.what} ${secondOf(span.from)} to ${secondOf(span.until)}`)
  return `${seconds} s passed from ${new Date(from * 1_000).toISOString()} on; ${told.join(', ')}`
}

const share = (byStatus: ReadonlyMap<number, number>): number => {
  const all = [...byStatus.values()].reduce((sum, count) => sum + count, 0)
  const bad = [0, 429, 500, 502, 503, 504].reduce(
    (sum, status) => sum + (byStatus.get(status) ?? 0),
    0,
  )
  return all === 0 ? 0 : (all - bad) / all
}

export type ProgressInput = Readonly<{
  seconds: number
  /** Milliseconds since 1970, of the loaded part. */
  from: number
  until: number
  counts: FaultCounts
  /** Number of retries that arrived late while their job ran again. */
  lateRetries: number
  possible: readonly Fault[]
  mostNodes: number
  nodes: number
  /** Number of workspaces that share the machine. Each does its part. */
  tenants: number
  /** Whether the workspace was moved, and paused meanwhile. */
  isMoved?: boolean
}>

export const auditProgress = (
  { ledgers, answers, sightings, faults }: AuditInput,
  jobs: readonly JobRow[],
  progress: ProgressInput,
): readonly Finding[] => {
  const { seconds, counts, possible, from, until, tenants, isMoved = false } = progress
  const done = {
    faults: Object.values(counts).reduce((sum, count) => sum + count, 0),
    'killed nodes': counts['kill node'] + counts['kill in commit'],
    acknowledged: ledgers.jobs.acknowledged.size,
    successes: jobs.filter(({ status }) => status === 'success').length,
    'late retries': progress.lateRetries,
    approvals: ledgers.flows.answers.length,
    functions: ledgers.functions.kept.size,
    'durable jobs': jobs.filter(
      ({ action, status }) => action === 'durable' && status === 'success',
    ).length,
    fires: jobs.filter(({ created_by: by }) => by.startsWith('schedule:')).length,
  }
  const tooFew = Object.entries(FLOORS).flatMap(([name, floor]) => {
    const count = Object.entries(done).find(([each]) => each === name)?.[1] ?? 0
    const part = OF_THE_RUN.has(name) ? 1 : tenants * (isMoved ? MOVED_PART : 1)
    const least = Math.ceil((floor * seconds) / part)
    return count >= least ? [] : [`${count} ${name}, at least ${least} are wanted`]
  })
  const silence = longestSilence(
    answers.goodSeconds,
    Math.floor(from / 1_000),
    Math.floor(until / 1_000),
  )
  const answered = share(answers.byStatus)
  return [
    {
      invariant: 'I18',
      what: `enough happened: ${Object.entries(done)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
      violations: tooFew,
    },
    {
      invariant: 'I18',
      what: `every kind of fault that this machine allows happened (asked from ${WHOLE_DECK_S} s on)`,
      violations:
        seconds < WHOLE_DECK_S ? [] : violationsOf(possible, (fault) => counts[fault] > 0, String),
    },
    {
      invariant: 'I18',
      what: `${(answered * 100).toFixed(0)} % of the requests were served, and no ${MAX_SILENCE_S} s passed without one (${silence.seconds} s)`,
      violations: [
        ...(isMoved || answered >= MIN_ANSWERED ? [] : [`fewer than ${MIN_ANSWERED * 100} % were`]),
        ...(isMoved || silence.seconds <= MAX_SILENCE_S ? [] : [describeSilence(faults, silence)]),
        ...(sightings.length > 0 ? [] : ['the witness saw nothing']),
      ],
    },
    {
      invariant: 'I18',
      what: `never more than ${progress.nodes} nodes were alive (${progress.mostNodes})`,
      violations: progress.mostNodes <= progress.nodes ? [] : [`${progress.mostNodes} were`],
    },
  ]
}
