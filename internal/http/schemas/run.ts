/** What the routes share that queue a job: whose action, under which idempotency key, and the answer. */
import { createHash } from 'node:crypto'
import { invalid } from '#core/error.ts'
import type { Principal } from '#core/principal.ts'
import type { Enqueued } from '#service/enqueue-job.ts'
import type { Reply, RequestFacts } from '../route.ts'
import { z } from './z.ts'

export const actionTarget = z.object({ ws: z.string(), app: z.string(), action: z.string() })

const KEY = /^[a-z0-9][a-z0-9_-]{0,62}$/i
const MAX_IDEMPOTENCY_KEY = 255

/** @throws {AppError} invalid */
export const checkKeys = (keys: Readonly<Record<'app' | 'action', string>>): void => {
  if (KEY.test(keys.app) && KEY.test(keys.action)) return
  throw invalid('An app or action key has letters, digits, - and _ only.', { code: 'bad_key' })
}

type Keyed = Pick<RequestFacts, 'header' | 'bodyBytes'> & Readonly<{ principal: Principal }>

/**
 * A key belongs to a credential and a route (contract, fine print 24).
 * @throws {AppError} invalid
 */
export const idempotencyOf = ({ header, principal, bodyBytes }: Keyed, route: string) => {
  const key = header('idempotency-key')
  if (key === undefined) return {}
  if (key.length === 0 || key.length > MAX_IDEMPOTENCY_KEY) {
    throw invalid(`An Idempotency-Key has 1 to ${MAX_IDEMPOTENCY_KEY} characters.`)
  }
  const bodyHash = createHash('sha256').update(bodyBytes).digest('hex')
  return { idempotency: { credential: principal.credentialId, route, key, bodyHash } }
}

export const toAccepted = (
  status: number,
  enqueued: Pick<Enqueued, 'replayed'>,
  body: object,
): Reply => ({
  status,
  body,
  ...(enqueued.replayed ? { headers: { 'idempotency-replayed': 'true' } } : {}),
})
