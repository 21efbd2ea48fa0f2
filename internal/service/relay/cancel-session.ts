/** The phone gives up: whatever is held is overwritten. Cancelling twice is as cancelling once. */
import { endOf, type RelayEnd } from '#core/relay/session.ts'
import { cancelRelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { lookAtOwnSession } from './relay-session.ts'

/**
 * @returns how the session has ended: `cancelled`, or what came before
 * @throws {AppError} not_found
 */
export const cancelSession = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'>,
  own: Readonly<{ id: string; keyId: string }>,
): Promise<RelayEnd> => {
  const end = endOf((await lookAtOwnSession(deps, own)).state)
  if (end !== null) return end
  const change = { id: own.id, changeId: deps.newId() }
  const [cancelled] = await deps.db.write([cancelRelaySession(change)], { retry: true })
  if (cancelled?.changes === 1) {
    deps.hints.relayChanged.emit(own.id)
    return 'cancelled'
  }
  const later = endOf((await lookAtOwnSession(deps, own)).state)
  if (later === null) throw new Error('A live relay session was not cancelled.')
  return later
}
