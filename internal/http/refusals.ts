/** Refusals that many routes share. Endpoints do not repeat them; the OpenAPI document adds them to each operation. */
import { bodyKindOf, type Endpoint, hasFreeQuery, scopeOf } from './endpoint.ts'

export const REFUSALS = {
  400: {
    name: 'Malformed',
    description: 'The request is malformed; `details` names each place',
  },
  401: {
    name: 'Unauthenticated',
    description: 'No valid credential',
  },
  403: {
    name: 'Forbidden',
    description:
      'The credential lacks the scope or belongs to another workspace, or a session calls from another site',
  },
  413: { name: 'BodyTooLarge', description: 'The body is larger than the limit' },
  415: {
    name: 'UnsupportedBody',
    description: 'The body has another content type, or a Content-Encoding',
  },
  429: {
    name: 'RateLimited',
    description: 'Too many requests: wait for `Retry-After` seconds',
  },
} as const
export type SharedRefusal = keyof typeof REFUSALS

const STATUSES = [400, 401, 403, 413, 415, 429] as const

const isAnswered = (one: Endpoint, status: SharedRefusal): boolean => {
  switch (status) {
    case 400:
      return one.body !== undefined || one.query !== undefined || !hasFreeQuery(one)
    case 401:
      return scopeOf(one) !== 'public'
    case 403:
      return scopeOf(one) !== 'public' && (scopeOf(one) !== 'any' || one.method !== 'get')
    case 413:
    case 415:
      return bodyKindOf(one) !== 'none' || one.method !== 'get'
    case 429:
      return one.rate !== 'off'
  }
}

/** Returns the refusals that a route answers in addition to what its endpoint declares. */
export const refusalsOf = (one: Endpoint): readonly SharedRefusal[] =>
  STATUSES.filter((status) => one.answers[status] === undefined && isAnswered(one, status))
