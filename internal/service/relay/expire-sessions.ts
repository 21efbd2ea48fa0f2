/** Ends expired sessions and overwrites their content. Only reads when there is none. */
import { asText } from '#store/column.ts'
import { expireRelaySessions, findNextRelayExpiry } from '#store/relay.ts'
import type { Deps } from '../deps.ts'

const BATCH = 100

/** Ends expired sessions. @returns milliseconds until the next session expires; null if there is none */
export const expireSessions = async ({
  db,
  hints,
}: Pick<Deps, 'db' | 'hints'>): Promise<number | null> => {
  for (;;) {
    const wait = await findNextRelayExpiry(db)
    if (wait === null || wait > 0) return wait
    const { ended } = await db.write({ ended: expireRelaySessions(BATCH) }, { retry: true })
    for (const { id } of ended.rows) hints.relayChanged.emit(asText(id))
  }
}
