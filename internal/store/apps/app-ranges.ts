/** Divides the apps of a workspace into ranges of keys, for lists that read what every app has deployed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader, Statement } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'

/** Each may have 500 actions, or a manifest of 100 KiB. Reading them takes 5 to 20 ms. */
const APPS_AT_ONCE = 20

/** A condition: the key of an app in this column is in the range. */
export type InRange = (column: string) => Statement

/** Yields the ranges behind the app `after` in order. Other work runs between them. */
export async function* appRanges(db: Reader, ws: string, after = ''): AsyncGenerator<InRange> {
  for (let from = after; ; await nextTurn()) {
    const last = await text.one(
      db,
      sql`SELECT key FROM apps WHERE ws = ${ws} AND key > ${from} ORDER BY key LIMIT 1 OFFSET ${APPS_AT_ONCE - 1}`,
    )
    const begin = from
    yield (column) => {
      const isBehind = sql`${raw(column)} > ${begin}`
      return last === null ? isBehind : sql`${isBehind} AND ${raw(column)} <= ${last}`
    }
    if (last === null) return
    from = last
  }
}
