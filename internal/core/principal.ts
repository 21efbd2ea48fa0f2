/** Who is calling, after authentication. */
import type { GrantedScope } from './scope.ts'

export type Principal = Readonly<{
  kind: 'session' | 'api_token' | 'customer_key'
  /** The credential's row, for idempotency keys, rate limits and the audit log. */
  credentialId: string
  email: string
  /** Null: not bound to a workspace (an instance administrator's session). */
  ws: string | null
  scopes: readonly GrantedScope[]
  /** Acts as admin of its workspace. */
  isAdmin: boolean
  isSuperAdmin: boolean
}>
