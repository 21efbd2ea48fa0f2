/** Who did something, as `created_by` and the audit log record it. */
import type { Principal } from './principal.ts'

export type Actor = Readonly<{
  /** An e-mail address, `customer:<id>`, `job:<id>`, `api_key:<id>`, or `cli` for direct access to the database. */
  identity: string
  /** `system`: svc itself, on behalf of the identity. */
  credentialKind: Principal['kind'] | 'cli' | 'system'
  /** The prefix by which a person finds the credential; null for a session and the command line. */
  credentialPrefix: string | null
  /** The caller's network address; null if there is none. */
  address: string | null
}>

export const actorOf = (principal: Principal, address: string | null): Actor => ({
  identity: principal.identity,
  credentialKind: principal.kind,
  credentialPrefix: principal.credentialPrefix,
  address,
})

/** A person who signs in, or acts in the browser without a token. @param address null if there is none */
export const sessionActor = (email: string, address: string | null): Actor => ({
  identity: email,
  credentialKind: 'session',
  credentialPrefix: null,
  address,
})

/** The person who runs a command on the machine of the database. */
export const CLI_ACTOR: Actor = {
  identity: 'cli',
  credentialKind: 'cli',
  credentialPrefix: null,
  address: null,
}

/** svc itself, for example when it syncs a git source on behalf of its creator. */
export const systemActor = (identity: string): Actor => ({
  identity,
  credentialKind: 'system',
  credentialPrefix: null,
  address: null,
})
