/**
 * Ids of rows: UUIDv7 (RFC 9562), ascending within the process. Random bytes are drawn 4 KiB at a time, because drawing 16 of
 * them costs many times as much as the rest of an id.
 */
import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const POOL_BYTES = 4_096
const ID_BYTES = 16

/** The first value of the 32-bit counter within a millisecond. It is random in its lower half, which leaves room to count. */
const firstOf = (random: Uint8Array): number =>
  new DataView(random.buffer, random.byteOffset).getUint32(6) & 0x7f_ff_ff_ff

/** @param now milliseconds since 1970; if the clock is set back, ids keep the latest time */
export const createNewId = (now: () => number = Date.now): (() => string) => {
  const pool = new Uint8Array(POOL_BYTES)
  let at = POOL_BYTES
  let msecs = Number.NEGATIVE_INFINITY
  let seq = 0
  return () => {
    if (at === POOL_BYTES) {
      randomFillSync(pool)
      at = 0
    }
    const random = pool.subarray(at, at + ID_BYTES)
    at += ID_BYTES
    const time = now()
    if (time > msecs) [msecs, seq] = [time, firstOf(random)]
    else if (seq === 0xff_ff_ff_ff) [msecs, seq] = [msecs + 1, 0]
    else seq += 1
    return v7({ random, msecs, seq })
  }
}
