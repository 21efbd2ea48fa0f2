/** The faults of a run with their times, so that the audit can distinguish lost leases with a cause from those without. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'

export type FaultSpan = Readonly<{
  /** A node's name, `database`, or `machine` if the machine itself was too busy. */
  who: string
  what: string
  /** Milliseconds since 1970. The database of a run shares this clock. */
  from: number
  /** Infinity while the fault lasts. */
  until: number
}>

export type FaultLog = Readonly<{
  spans: readonly FaultSpan[]
  /** Adds a fault that is over. */
  note: (span: FaultSpan) => void
  /** @returns a function that ends the fault */
  begin: (who: string, what: string) => () => void
  /** Faults of this node, of the database or of the machine that overlap the given time. */
  hit: (who: string, from: number, until: number) => readonly FaultSpan[]
}>

const EVERYBODY = ['database', 'machine']

export const createFaultLog = (): FaultLog => {
  const spans: { who: string; what: string; from: number; until: number }[] = []
  return {
    spans,
    note: (span) => void spans.push(span),
    begin: (who, what) => {
      const span = { who, what, from: Date.now(), until: Number.POSITIVE_INFINITY }
      spans.push(span)
      return () => {
        span.until = Math.min(span.until, Date.now())
      }
    },
    hit: (who, from, until) =>
      spans.filter(
        (span) =>
          (span.who === who || EVERYBODY.includes(span.who)) &&
          span.from <= until &&
          span.until >= from,
      ),
  }
}

/** A fault of the machine in which no process got a turn. */
export const STOOD_STILL = 'stood still'

const LOOK_EVERY_MS = 100
const STALL_MS = 400

/**
 * Watches whether this process gets its turns. A loaded machine delays every process alike, so nodes may not have renewed
 * their leases either. @returns a function that ends the watch
 */
export const watchStalls = (log: FaultLog): (() => void) => {
  let lookedAt = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    if (now - lookedAt > LOOK_EVERY_MS + STALL_MS) {
      log.note({ who: 'machine', what: STOOD_STILL, from: lookedAt, until: now })
    }
    lookedAt = now
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

const WRITE_EVERY_MS = 150
/** Milliseconds. A renewal that takes this long is late for a lease of two seconds, which is renewed every third of it. */
const SLOW_WRITE_MS = 500
/** Takes the writer's lock without changing anything. */
const PROBE = sql`UPDATE meta SET value = value WHERE key = 'chaos'`

/**
 * Writes again and again like a node without faults. If such a write was slow or failed, leases that ended meanwhile have a
 * cause. @returns a function that ends the watch
 */
export const watchWrites = (log: FaultLog, url: string): (() => Promise<void>) => {
  const over = new AbortController()
  const watch = async (): Promise<void> => {
    const db = await openDatabase({ url })
    while (!over.signal.aborted) {
      const from = Date.now()
      const isDone = await db.write([PROBE], { retry: true }).then(
        () => true,
        () => false,
      )
      const until = Date.now()
      if (!isDone || until - from > SLOW_WRITE_MS) {
        log.note({ who: 'machine', what: 'was slow to write', from, until })
      }
      await sleep(WRITE_EVERY_MS)
    }
    await db.close()
  }
  const watching = watch()
  return async () => {
    over.abort()
    await watching
  }
}
