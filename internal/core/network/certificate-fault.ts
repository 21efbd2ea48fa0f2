/** What to do about a certificate of a server that TLS refuses. */

const UNKNOWN_AUTHORITY =
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of its authority.'
const WRONG_TIME = 'Renew its certificate, or set the clock of this machine.'

/** By the code of the connection's failure. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
  ['CERT_HAS_EXPIRED', WRONG_TIME],
  ['CERT_NOT_YET_VALID', WRONG_TIME],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Use a name for which its certificate was issued.'],
])

/** The code of a failed connection, such as ECONNREFUSED or CERT_HAS_EXPIRED. `fetch` hides it in the cause. */
export const connectionCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return
  return 'code' in error ? String(error.code) : connectionCode(error.cause)
}

/** Returns a sentence about the fault and its remedy, or null if the code is another's. */
export const explainCertificate = (endpoint: string, code: string | undefined): string | null => {
  const remedy = REMEDIES.get(code ?? '')
  return remedy === undefined
    ? null
    : `The certificate of ${endpoint} was refused (${code}). ${remedy}`
}
