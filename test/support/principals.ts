/** Callers as authentication would return them, for tests of use cases and policies. */
import type { ApiKey, ApiToken, CustomerKey, Session } from '#core/access/principal.ts'
import { scopesOfRole } from '#core/access/scope.ts'

export const memberSession = (identity: string, ws = 'default'): Session => ({
  kind: 'session',
  credentialId: `session of ${identity}`,
  credentialPrefix: null,
  identity,
  ws,
  scopes: scopesOfRole('member'),
  isAdmin: false,
  isSuperAdmin: false,
})

export const adminSession = (identity: string, ws = 'default'): Session => ({
  ...memberSession(identity, ws),
  scopes: scopesOfRole('admin'),
  isAdmin: true,
})

export const superAdminSession = (identity: string, ws = 'default'): Session => ({
  ...adminSession(identity, ws),
  isSuperAdmin: true,
})

/** @param more scopes and rights, without which the token opens nothing */
export const apiToken = (identity: string, more: Partial<ApiToken> = {}): ApiToken => ({
  kind: 'api_token',
  credentialId: `token of ${identity}`,
  credentialPrefix: 'abcdefgh',
  identity,
  ws: 'default',
  scopes: [],
  isAdmin: false,
  isSuperAdmin: false,
  ...more,
})

export const customerKey = (customerId: string, ws = 'default'): CustomerKey => ({
  kind: 'customer_key',
  credentialId: `key of ${customerId}`,
  credentialPrefix: 'abcdefgh',
  identity: `customer:${customerId}`,
  ws,
  customerId,
})

export const apiKey = (keyId: string, ws = 'default'): ApiKey => ({
  kind: 'api_key',
  credentialId: keyId,
  credentialPrefix: keyId,
  identity: `api_key:${keyId}`,
  ws,
})
