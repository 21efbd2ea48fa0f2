/** The error for a server that was not reached, with the code of the connection's failure. */
import { type AppError, unavailable } from '#core/error.ts'
import { connectionCode, explainCertificate } from '#core/network/certificate-fault.ts'

/** Codes of TLS for an answer that is not TLS. */
const NO_TLS = /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/

export const unreachable = (endpoint: string, cause: unknown): AppError => {
  const code = connectionCode(cause)
  if (endpoint.startsWith('https:') && code !== undefined && NO_TLS.test(code)) {
    return unavailable(
      `${endpoint} does not speak HTTPS (${code}). Use ${endpoint.replace('https:', 'http:')} if it is your own svc without a proxy.`,
      { cause },
    )
  }
  const refused = explainCertificate(endpoint, code)
  if (refused !== null) return unavailable(refused, { cause })
  const why = code === undefined ? '' : ` (${code})`
  return unavailable(
    `${endpoint} does not answer${why}. Is svc running there? SVC_URL or \`svc login\` names another server.`,
    { cause },
  )
}
