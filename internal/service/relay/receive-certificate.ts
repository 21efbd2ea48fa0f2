/**
 * Lets the phone wait for its certificate and receive it once. A hint ends the wait at once, and polling
 * finds what no hint reported.
 *
 * Delivery is at most once: the row is emptied before the response is sent. If the response is lost, the phone gets `delivered`
 * on its next request and has to start again.
 */
import { z } from 'zod'
import { endOf, type RelayEnd } from '#core/relay/session.ts'
import { findRelayMaterial, type RelaySession, takeRelayMaterial } from '#store/relay.ts'
import type { Deps } from '../deps.ts'
import { waitUntil } from '../wait-until.ts'
import type { RelayMaterial } from './check-certificate.ts'
import { findDataKey, lookAtOwnSession, materialContext } from './relay-session.ts'

/** A phone waits for minutes, until a person has found the certificate on a desktop. */
const SLOWEST_LOOK_MS = 2_000

export type Received =
  | Readonly<{ kind: 'waiting'; expiresAt: number }>
  | (Readonly<{ kind: 'received'; certId: string }> & RelayMaterial)
  | Readonly<{ kind: 'ended'; end: RelayEnd }>

export type ReceiveRequest = Readonly<{
  id: string
  keyId: string
  /** 0 to answer at once. */
  waitMs: number
  /** Aborted when the receiver disconnects; then nothing is taken. */
  signal: AbortSignal
  /** Called just before the certificate is taken. @default always true */
  mayTake?: () => Promise<boolean>
}>

export type ReceiveDeps = Pick<Deps, 'db' | 'home' | 'furtherCells' | 'newId' | 'keyring' | 'hints'>

const materialShape = z.object({ certDer: z.string(), certKey: z.string() })

/** Takes the certificate; null if another request took it. @throws {Error} the row was modified; it stays until it expires */
const take = async (deps: ReceiveDeps, session: RelaySession): Promise<RelayMaterial | null> => {
  const { id, ws } = session
  const sealed = await findRelayMaterial(deps.db, id)
  if (sealed === null) return null
  const wrappedKey = await findDataKey(deps, session)
  // decrypted before the row is emptied, so that a failure to decrypt does not lose it
  const text = Buffer.from(sealed).toString('latin1')
  const plain = deps.keyring.decrypt(wrappedKey, ws, materialContext(id), text)
  const change = { id, changeId: deps.newId() }
  const { taken } = await deps.db.write({ taken: takeRelayMaterial(change) }, { retry: true })
  if (taken.changes !== 1) return null
  deps.hints.relayChanged.emit(id)
  return materialShape.parse(JSON.parse(plain))
}

const look = async (deps: ReceiveDeps, request: ReceiveRequest): Promise<Received> => {
  const session = await lookAtOwnSession(deps, request)
  const { id, state, expiresAt } = session
  const end = endOf(state)
  if (end !== null) return { kind: 'ended', end }
  const waiting = { kind: 'waiting', expiresAt } as const
  if (state === 'waiting' || request.signal.aborted) return waiting
  if (request.mayTake !== undefined && !(await request.mayTake())) return waiting
  const material = await take(deps, session)
  if (material !== null) return { kind: 'received', certId: id, ...material }
  const later = endOf((await lookAtOwnSession(deps, request)).state)
  return later === null ? waiting : { kind: 'ended', end: later }
}

/** Waits for the certificate and receives it. @throws {AppError} not_found: no session of this key */
export const receiveCertificate = (deps: ReceiveDeps, request: ReceiveRequest): Promise<Received> =>
  waitUntil({
    timeoutMs: request.waitMs,
    slowestLookMs: SLOWEST_LOOK_MS,
    signal: request.signal,
    subscribe: (onHint) => deps.hints.relayChanged.subscribe(request.id, onHint),
    look: () => look(deps, request),
    isOver: ({ kind }) => kind !== 'waiting',
  })
