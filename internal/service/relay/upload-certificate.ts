/** The desktop page uploads; what it sent is held, encrypted and bound to its row, until the phone has taken it. */
import { conflict } from '#core/error.ts'
import { endOf } from '#core/relay/session.ts'
import { holdRelayMaterial, type RelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { checkMaterial, type RelayMaterial } from './check-certificate.ts'
import { lookAtSession, materialContext, sessionEnded, sessionNotFound } from './relay-session.ts'

type UploadDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'hints'>

/** @throws {AppError} not_found, gone, conflict `already_uploaded` */
const requireWaiting = async (deps: UploadDeps, id: string): Promise<RelaySession> => {
  const session = await lookAtSession(deps, id)
  if (session === null) throw sessionNotFound()
  const end = endOf(session.state)
  if (end !== null) throw sessionEnded(end)
  if (session.state === 'waiting') return session
  throw conflict('A certificate was uploaded already; the phone is about to take it.', {
    code: 'already_uploaded',
  })
}

/** @throws {AppError} invalid, too_large, not_found, gone, conflict */
export const uploadCertificate = async (
  deps: UploadDeps,
  id: string,
  { certDer, certKey }: RelayMaterial,
): Promise<void> => {
  checkMaterial({ certDer, certKey })
  const { ws, wrappedKey } = await requireWaiting(deps, id)
  const plain = JSON.stringify({ certDer, certKey })
  const sealed = deps.keyring.encrypt(wrappedKey, ws, materialContext(id), plain)
  const change = { id, changeId: deps.newId() }
  const material = Buffer.from(sealed, 'latin1')
  const [held] = await deps.db.write(holdRelayMaterial(change, material), { retry: true })
  if (held?.changes !== 1) {
    // somebody was faster: say who
    await requireWaiting(deps, id)
    throw conflict('The session changed at this moment. Try again.', { code: 'session_changed' })
  }
  deps.hints.relayChanged.emit(id)
}
