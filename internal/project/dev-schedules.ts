/** Schedules of a folder's app.yaml on this machine: when they fire next, and their firing while `svc dev` runs. */
import { AppError } from '#core/error.ts'
import type { ScheduleDefinition } from '#core/schedule/definition.ts'
import { FORMER_RUNS, overlapDecision, type SlotOutcome } from '#core/schedule/overlap.ts'
import { nextFire, parseTiming } from '#core/schedule/timing.ts'
import type { LocalBegun, LocalStarts } from './local-starts.ts'
import { MAX_TIMER_MS } from './local-waits.ts'

/** @returns milliseconds since 1970; null if it is disabled or never fires again */
export const nextFireOf = (
  { cron, timezone, enabled }: ScheduleDefinition,
  after: number,
): number | null => {
  const { timing } = parseTiming(cron, timezone)
  return timing === null || !enabled ? null : nextFire(timing, { after })
}

/**
 * Starts the target of a schedule.
 * @param due its fire time, in milliseconds since 1970
 * @throws {AppError} the input does not fit
 */
export const fireSchedule = (
  starts: LocalStarts,
  { action, flow = '', input }: ScheduleDefinition,
  due: number,
): Promise<LocalBegun> => {
  const target =
    action === undefined
      ? ({ kind: 'flow', key: flow } as const)
      : ({ kind: 'action', key: action } as const)
  return starts.begin(target, input, { kind: 'schedule', fireTime: new Date(due).toISOString() })
}

/** The outcome of a fire time. */
export type DevFire = Readonly<{
  key: string
  outcome: SlotOutcome
  /** Why it did not fire. */
  reason: string | null
}>

type Held = { isOpen: boolean; waiting: number | null }

/**
 * Fires the schedules of a manifest when they are due, and applies their `overlap`.
 * @returns a function that stops the schedules; runs that have begun continue
 */
export const runSchedules = (
  schedules: readonly ScheduleDefinition[],
  starts: LocalStarts,
  onFire: (fire: DevFire) => void,
): (() => void) => {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let isStopped = false

  const begin = async (schedule: ScheduleDefinition, held: Held, due: number): Promise<void> => {
    const { key } = schedule
    held.isOpen = true
    try {
      const { ended } = await fireSchedule(starts, schedule, due)
      onFire({ key, outcome: 'fired', reason: null })
      await ended
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal
      onFire({ key, outcome: 'skipped', reason: refusal.message })
    }
    held.isOpen = false
    const { waiting } = held
    if (waiting === null || isStopped) return
    held.waiting = null
    await begin(schedule, held, waiting)
  }

  const fire = (schedule: ScheduleDefinition, held: Held, due: number): void => {
    const { key, overlap } = schedule
    const decision = overlapDecision(overlap, held.isOpen)
    if (decision === 'fire') {
      // overlapping runs need no shared state: only `skip` and `queue` check whether the former run is open
      void begin(schedule, overlap === 'allow' ? { isOpen: false, waiting: null } : held, due)
    } else if (decision === 'wait' && held.waiting === null) {
      held.waiting = due
      onFire({ key, outcome: 'queued', reason: FORMER_RUNS })
    } else onFire({ key, outcome: 'skipped', reason: FORMER_RUNS })
  }

  const arm = (schedule: ScheduleDefinition, held: Held, due: number | null): void => {
    if (due === null) return
    const left = due - Date.now()
    const timer = setTimeout(
      () => {
        if (left > MAX_TIMER_MS) return arm(schedule, held, due)
        fire(schedule, held, due)
        arm(schedule, held, nextFireOf(schedule, Math.max(due, Date.now())))
      },
      Math.min(Math.max(left, 0), MAX_TIMER_MS),
    )
    timers.set(schedule.key, timer)
  }

  for (const schedule of schedules) {
    arm(schedule, { isOpen: false, waiting: null }, nextFireOf(schedule, Date.now()))
  }
  return () => {
    isStopped = true
    for (const timer of timers.values()) clearTimeout(timer)
  }
}
