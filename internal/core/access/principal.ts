/** Who is calling, after authentication. */
import type { GrantedScope } from './scope.ts'

export type Principal = Readonly<{
  kind: 'session' | 'api_token' | 'customer_key' | 'api_key'
  /** The credential's row, for idempotency keys, rate limits and the audit log. */
  credentialId: string
  /** By which a person finds the credential; null for a session. */
  credentialPrefix: string | null
  /** The e-mail address of a person, `customer:<id>`, `api_key:<id>`: what `created_by` holds. */
  identity: string
  /** Null: a session outside any workspace of its user. */
  ws: string | null
  scopes: readonly GrantedScope[]
  /** Acts as admin of its workspace. */
  isAdmin: boolean
  isSuperAdmin: boolean
  /** For a customer key, grants decide instead of scopes [access 11.2]. */
  customerId: string | null
}>

/** The e-mail address of a person; customers and API keys have none. */
export const emailOf = ({ kind, identity }: Principal): string | null =>
  kind === 'session' || kind === 'api_token' ? identity : null
