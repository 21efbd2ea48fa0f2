/** The caller of a request after authentication: one type for each kind of credential that opens a route [access 1.2]. */
import type { GrantedScope } from './scope.ts'

type Caller = Readonly<{
  /** Id of the credential's row, under which rate limits and idempotency keys are counted. */
  credentialId: string
  /** Public part of the credential, by which a person finds it. Null for a session. */
  credentialPrefix: string | null
  /** Value of `created_by`: an e-mail address, `customer:<id>` or `api_key:<id>`. */
  identity: string
}>

/** Role and scopes decide what a person may do [access 4.2, 4.4]. */
type PersonRights = Readonly<{
  scopes: readonly GrantedScope[]
  /** Whether the person acts as admin of the workspace. */
  isAdmin: boolean
  isSuperAdmin: boolean
}>

export type Session = Caller &
  PersonRights &
  Readonly<{
    kind: 'session'
    /** Null on routes outside workspaces, and in workspaces that the person is not a member of. */
    ws: string | null
  }>

export type ApiToken = Caller & PersonRights & Readonly<{ kind: 'api_token'; ws: string }>

/** Grants of the customer decide, scopes do not [access 11.2]. */
export type CustomerKey = Caller &
  Readonly<{ kind: 'customer_key'; ws: string; customerId: string }>

/** Opens the document parser and the relay, nothing else [access 12.1]. */
export type ApiKey = Caller & Readonly<{ kind: 'api_key'; ws: string }>

export type Person = Session | ApiToken

export type Principal = Person | CustomerKey | ApiKey

export type PrincipalKind = Principal['kind']

/** Kinds that open `GET /api/auth/me`, as it names them. */
export const IDENTITY_KINDS = [
  'session',
  'api_token',
  'customer_key',
] as const satisfies readonly PrincipalKind[]

export const isPerson = (principal: Principal): principal is Person =>
  principal.kind === 'session' || principal.kind === 'api_token'

/** The e-mail address of a person; customers and API keys have none. */
export const emailOf = (principal: Principal): string | null =>
  isPerson(principal) ? principal.identity : null

/** Returns the customer of a customer key, or null. */
export const customerOf = (principal: Principal): string | null =>
  principal.kind === 'customer_key' ? principal.customerId : null

/** Returns the scopes of a caller; empty for credentials without scopes. */
export const scopesOf = (principal: Principal): readonly GrantedScope[] =>
  isPerson(principal) ? principal.scopes : []
