/** Common parts of endpoints that start a job or a flow run: the keys of their target, the idempotency key, the response. */
import { createHash } from 'node:crypto'
import type { Principal } from '#core/access/principal.ts'
import { invalid } from '#core/error.ts'
import { APP_KEY, KEY } from '#core/key-patterns.ts'
import { limit } from '#core/limit.ts'
import { readTraceparent } from '#core/trace/traceparent.ts'
import { answer } from './answer.ts'
import type { RequestFacts } from './request.ts'

export const MAX_IDEMPOTENCY_KEY = limit(
  'job.idempotency_key',
  255,
  'characters',
  '`Idempotency-Key` of a request. More: 400.',
)

/** Refuses a key that no app or action can have, by the rules of the manifest. @throws {AppError} invalid `bad_key` */
export const checkKeys = (keys: Readonly<Record<'app' | 'action', string>>): void => {
  if (!APP_KEY.test(keys.app)) {
    // the page of errors is made from the sentences where they are thrown
    throw invalid(
      'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.',
      { code: 'bad_key' },
    )
  }
  if (KEY.test(keys.action)) return
  throw invalid(
    'The key of an action or flow has 1 to 63 letters, digits, - and _, and begins with a letter or digit.',
    { code: 'bad_key' },
  )
}

type Keyed = Pick<RequestFacts, 'header' | 'bodyBytes'> & Readonly<{ principal: Principal }>

/**
 * Scopes the idempotency key to a credential and a route [wire 5.4].
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

/** The caller's trace, to which the started work belongs (W3C Trace Context). */
export const traceOf = ({
  header,
}: Pick<RequestFacts, 'header'>): Readonly<{ traceparent?: string }> => {
  const traceparent = readTraceparent(header('traceparent'))
  return traceparent === null ? {} : { traceparent }
}

/** A response that refers to what the first call made if the idempotency key was used before [wire 5.3]. */
export const accepted = <const Status extends number, const Body>(
  status: Status,
  { replayed }: Readonly<{ replayed: boolean }>,
  body: Body,
) => answer(status, body, replayed ? { 'idempotency-replayed': 'true' } : {})
