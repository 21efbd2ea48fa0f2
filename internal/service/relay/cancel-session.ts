/** Cancels a session from the phone and overwrites its content. Cancelling twice is allowed. */
import { endOf, type RelayEnd } from '#core/relay/session.ts'
import { cancelRelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { lookAtOwnSession } from './relay-session.ts'

/**
 * Cancels a session.
 * @returns `cancelled`, or how it ended before
 * @throws {AppError} not_found
 */
export const cancelSession = async (
  deps: Pick<Deps, 'db' | 'newId' | 'hints'>,
  own: Readonly<{ id: string; keyId: string }>,
): Promise<RelayEnd> => {
  const end = endOf((await lookAtOwnSession(deps, own)).state)
  if (end !== null) return end
  const change = { id: own.id, changeId: deps.newId() }
  const { cancelled } = await deps.db.write(
    { cancelled: cancelRelaySession(change) },
    { retry: true },
  )
  if (cancelled.changes === 1) {
    deps.hints.relayChanged.emit(own.id)
    return 'cancelled'
  }
  const later = endOf((await lookAtOwnSession(deps, own)).state)
  if (later === null) throw new Error('A live relay session was not cancelled.')
  return later
}
