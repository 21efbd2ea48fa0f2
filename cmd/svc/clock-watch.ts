/** Tells when this machine's clock and the database's differ. Leases and schedules go by the database's alone. */
import type { Logger } from '#log/logger.ts'

export type ClockReading = Readonly<{
  /** Milliseconds since 1970, by this machine. */
  askedAt: number
  answeredAt: number
  /** By the database. */
  databaseAt: number
}>

/** Less says nothing: the answer took its time. */
const TOLERATED_MS = 2_000

/** How far this machine is ahead, at least; 0 when that cannot be told. */
export const clockSkewMs = ({ askedAt, answeredAt, databaseAt }: ClockReading): number => {
  if (askedAt > databaseAt + TOLERATED_MS) return askedAt - databaseAt
  if (answeredAt < databaseAt - TOLERATED_MS) return answeredAt - databaseAt
  return 0
}

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
