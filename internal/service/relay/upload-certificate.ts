/** Stores the upload of the desktop page, encrypted and bound to its row, until the phone has received it. */
import { AppError, conflict } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { endOf } from '#core/relay/session.ts'
import { findHeldBytes, holdRelayMaterial, type RelaySession } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { checkMaterial, type RelayMaterial } from './check-certificate.ts'
import {
  findDataKey,
  hasValidKey,
  lookAtSession,
  materialContext,
  sessionEnded,
  sessionNotFound,
} from './relay-session.ts'

const MOST_HELD_BYTES = limit(
  'relay.held',
  67_108_864,
  'bytes',
  'Certificates of a workspace that wait for their phones, encrypted. More: 429.',
)
const RETRY_AFTER_S = 10

type UploadDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'keyring' | 'hints'>

/** Reads a session that waits for its upload. @throws {AppError} not_found, gone, conflict `already_uploaded` */
const requireWaiting = async (deps: UploadDeps, id: string): Promise<RelaySession> => {
  const session = await lookAtSession(deps, id)
  if (session === null) throw sessionNotFound()
  const end = endOf(session.state)
  if (end !== null) throw sessionEnded(end)
  if (!(await hasValidKey(deps, session))) throw sessionEnded('cancelled')
  if (session.state === 'waiting') return session
  throw conflict('A certificate was already uploaded; the phone is about to receive it.', {
    code: 'already_uploaded',
  })
}

/** Stores an upload. @throws {AppError} invalid, too_large, not_found, gone, conflict; rate_limited `too_much_held` */
export const uploadCertificate = async (
  deps: UploadDeps,
  id: string,
  { certDer, certKey }: RelayMaterial,
): Promise<void> => {
  checkMaterial({ certDer, certKey })
  const waiting = await requireWaiting(deps, id)
  const { ws } = waiting
  const wrappedKey = await findDataKey(deps, waiting)
  const plain = JSON.stringify({ certDer, certKey })
  const sealed = deps.keyring.encrypt(wrappedKey, ws, materialContext(id), plain)
  const change = { id, changeId: deps.newId() }
  const material = Buffer.from(sealed, 'latin1')
  const held = { ws, material, mostBytes: MOST_HELD_BYTES }
  const { session } = await deps.db.write(holdRelayMaterial(change, held), { retry: true })
  if (session.changes !== 1) {
    // another request changed the session; report its state
    await requireWaiting(deps, id)
    if ((await findHeldBytes(deps.db, ws)) + material.length > MOST_HELD_BYTES) throw tooMuchHeld()
    throw conflict('The session has just changed. Try again.', { code: 'session_changed' })
  }
  deps.hints.relayChanged.emit(id)
}

const tooMuchHeld = (): AppError =>
  new AppError('rate_limited', 'Too many certificates wait for their phones. Try again shortly.', {
    code: 'too_much_held',
    retryAfterS: RETRY_AFTER_S,
  })
