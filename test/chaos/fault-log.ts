/** What the run broke and when, so that the audit can tell a lost lease with a cause from one without. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'

export type FaultSpan = Readonly<{
  /** A node's name, or `database`, or `machine` when the machine itself was too busy. */
  who: string
  what: string
  /** Milliseconds since 1970; the database of a run shares this clock. */
  from: number
  /** Infinity while it lasts. */
  until: number
}>

export type FaultLog = Readonly<{
  spans: readonly FaultSpan[]
  /** What was seen, and is over. */
  note: (span: FaultSpan) => void
  /** @returns a function that ends the fault */
  begin: (who: string, what: string) => () => void
  /** Faults of this node, of the database or of the machine that touch the time between the two. */
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

/** Of the machine: no process got a turn. */
export const STOOD_STILL = 'stood still'

const LOOK_EVERY_MS = 100
const STALL_MS = 400

/**
 * A loaded machine delays every process alike: when this process got no turn for a while, the nodes may not have renewed
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
/** A renewal that takes as long comes late for a lease of two seconds, which is renewed every third of it. */
const SLOW_WRITE_MS = 500
/** Takes the lock of the writer, and changes nothing. */
const PROBE = sql`UPDATE meta SET value = value WHERE key = 'chaos'`

/**
 * Writes again and again as a node does that nothing is done to: when such a write was slow or failed, leases that ended
 * meanwhile have a cause. @returns a function that ends the watch
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
