/** Warns when the clocks of this machine and of the database differ. Leases and schedules use only the database's. */
import type { Logger } from '#log/logger.ts'

export type ClockReading = Readonly<{
  /** Milliseconds since 1970, by the clock of this machine, when the query was sent. */
  askedAt: number
  answeredAt: number
  /** By the clock of the database. */
  databaseAt: number
}>

/** A smaller difference may be the duration of the query. */
const TOLERATED_MS = 2_000

/** Milliseconds by which this machine is at least ahead; 0 when the difference is too small to know. */
export const clockSkewMs = ({ askedAt, answeredAt, databaseAt }: ClockReading): number => {
  if (askedAt > databaseAt + TOLERATED_MS) return askedAt - databaseAt
  if (answeredAt < databaseAt - TOLERATED_MS) return answeredAt - databaseAt
  return 0
}

/** Logs when the clock of this machine differs from the database's, and again when both agree. */
export const watchClock = (log: Logger): Readonly<{ compare: (reading: ClockReading) => void }> => {
  let wasSkewed = false
  return {
    compare: (reading) => {
      const skewMs = clockSkewMs(reading)
      if (skewMs !== 0 && !wasSkewed) {
        const seconds = Math.round(Math.abs(skewMs) / 1_000)
        log.warn(
          `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Jobs and schedules go by the database's; times in this log do not. Set the clock, for example with NTP.`,
        )
      }
      wasSkewed = skewMs !== 0
    },
  }
}
