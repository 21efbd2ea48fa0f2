/** Corrects the next fire time of a schedule after the database's clock has jumped. */
import { nextFire, type Timing } from './timing.ts'

export type Rebase = Readonly<{
  nextFireAt: number
  /** The time after the jump. */
  now: number
  /** Negative if the clock went back. */
  jumpMs: number
}>

/** The precision of a measured jump; shorter jumps cannot be distinguished from none. */
const IMPRECISION_MS = 2_000

/**
 * `@every` keeps what was left of its interval. A cron schedule fires when the clock, as it is now, shows its time. After a
 * jump back that is the next such time (one that has fired already is passed over); after a jump forward the missed ones are
 * skipped on record. Applied twice, it moves no fire time beyond one interval.
 */
export const rebaseFireTime = (timing: Timing, { nextFireAt, now, jumpMs }: Rebase): number => {
  if (timing.kind === 'cron') {
    const next = jumpMs < 0 ? nextFire(timing, { after: now }) : null
    return next === null ? nextFireAt : Math.min(next, nextFireAt)
  }
  const latest = now + timing.everyMs
  if (jumpMs < 0) return nextFireAt > latest ? Math.max(now, nextFireAt + jumpMs) : nextFireAt
  // a later one was computed after the jump
  const isFromBefore = nextFireAt + jumpMs <= latest + IMPRECISION_MS
  return isFromBefore ? Math.min(nextFireAt + jumpMs, latest) : nextFireAt
}
