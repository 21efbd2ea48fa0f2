/** Whether a credential is still valid. Pure. */
export type CredentialState = 'active' | 'expired' | 'revoked'

export type Ending = Readonly<{ revoked_at: string | null; expires_at?: string | null }>

export const credentialState = (
  { revoked_at, expires_at = null }: Ending,
  now: number,
): CredentialState => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && new Date(expires_at).getTime() <= now ? 'expired' : 'active'
}
