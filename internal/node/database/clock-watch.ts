/** Warns if the clocks of this machine and of the database differ. Leases and schedules use only the database's clock. */
import type { Logger } from '#log/logger.ts'

export type ClockReading = Readonly<{
  /** Milliseconds since 1970, by the clock of this machine, when the query was sent. */
  askedAt: number
  answeredAt: number
  /** Milliseconds since 1970, by the clock of the database. */
  databaseAt: number
}>

/** Milliseconds. A smaller difference may be due to the duration of the query. */
const TOLERATED_MS = 2_000

/** The minimum milliseconds by which this machine is ahead (negative: behind); 0 if the difference is within the tolerance. */
export const clockSkewMs = ({ askedAt, answeredAt, databaseAt }: ClockReading): number => {
  if (askedAt > databaseAt + TOLERATED_MS) return askedAt - databaseAt
  if (answeredAt < databaseAt - TOLERATED_MS) return answeredAt - databaseAt
  return 0
}

/** Logs once when the clocks differ, and again if they differ after they agreed. */
export const watchClock = (log: Logger): Readonly<{ compare: (reading: ClockReading) => void }> => {
  let wasSkewed = false
  return {
    compare: (reading) => {
      const skewMs = clockSkewMs(reading)
      if (skewMs !== 0 && !wasSkewed) {
        const seconds = Math.round(Math.abs(skewMs) / 1_000)
        log.warn(
          `The clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Jobs and schedules go by the database's; times in this log, timestamps of webhooks and tokens of OpenID Connect do not. Set the clock, for example with NTP.`,
        )
      }
      wasSkewed = skewMs !== 0
    },
  }
}
