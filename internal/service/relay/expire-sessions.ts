/** Ends sessions whose time is over and overwrites what they hold. A read while there is none. */
import { asText } from '#store/column.ts'
import { expireRelaySessions, findNextRelayExpiry } from '#store/relay.ts'
import type { Deps } from '../deps.ts'

const BATCH = 100

/** @returns milliseconds until the next session's time is over; null: none lives */
export const expireSessions = async ({
  db,
  hints,
}: Pick<Deps, 'db' | 'hints'>): Promise<number | null> => {
  for (;;) {
    const wait = await findNextRelayExpiry(db)
    if (wait === null || wait > 0) return wait
    const [ended] = await db.write([expireRelaySessions(BATCH)], { retry: true })
    for (const { id } of ended?.rows ?? []) hints.relayChanged.emit(asText(id))
  }
}
