/**
 * Shows a run's steps as bars on a timeline: how long each waited for a
 * worker, ran, or waited for people, a time or an event. Pure.
 */
import { STEP_KINDS, type StepKind } from './step-kinds.ts'

export type TimedStep = Readonly<{
  key: string
  started_at: string | null
  completed_at: string | null
  queue_wait_ms: number | null
  kind: StepKind
}>

export type SegmentKind = 'queue' | 'run' | 'people' | 'wait'

export type Segment = Readonly<{
  kind: SegmentKind
  /** Shares of the whole time, 0 to 1. */
  from: number
  to: number
}>

export type TimelineRow = Readonly<{
  key: string
  /** Null if it has not begun. */
  ms: number | null
  isOpen: boolean
  segments: readonly Segment[]
}>

export type Span = Readonly<{ from: number; to: number }>

/** From the start of the run to its end, or to now. A slow clock of the viewer does not shorten it. */
export const spanOf = (
  run: Readonly<{ created_at: string; completed_at: string | null }>,
  steps: readonly TimedStep[],
  now: number,
): Span => {
  const from = Date.parse(run.created_at)
  const known = steps.flatMap(({ started_at, completed_at }) =>
    [started_at, completed_at].flatMap((at) => (at === null ? [] : [Date.parse(at)])),
  )
  const to = run.completed_at === null ? Math.max(now, ...known) : Date.parse(run.completed_at)
  return { from, to: Math.max(to, from + 1) }
}

export const timelineRows = (
  steps: readonly TimedStep[],
  { from, to }: Span,
): readonly TimelineRow[] => {
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)))
  return steps.map(({ key, kind, started_at, completed_at, queue_wait_ms }) => {
    if (started_at === null) return { key, ms: null, isOpen: false, segments: [] }
    const { asksPeople = false, waits = false, startsAtOnce = false } = STEP_KINDS[kind]
    const begin = Date.parse(started_at)
    const end = completed_at === null ? to : Date.parse(completed_at)
    const segment = (name: SegmentKind, one: number, other: number): readonly Segment[] =>
      other > one ? [{ kind: name, from: share(one), to: share(other) }] : []
    // while no worker has claimed it, its waiting time is not known
    const isTaken = queue_wait_ms !== null || completed_at !== null || startsAtOnce
    const taken = isTaken ? Math.min(end, begin + (queue_wait_ms ?? 0)) : end
    const segments =
      asksPeople || waits
        ? segment(asksPeople ? 'people' : 'wait', begin, end)
        : [...segment('queue', begin, taken), ...segment('run', taken, end)]
    return { key, ms: Math.max(0, end - begin), isOpen: completed_at === null, segments }
  })
}
