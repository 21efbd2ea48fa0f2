/** The error for a server that was not reached, with the code of the connection's failure. */
import { AppError } from '#core/error.ts'

/** The code of a failure, such as ECONNREFUSED or CERT_HAS_EXPIRED. `fetch` hides it in the cause. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return
  return 'code' in error ? String(error.code) : codeOf(error.cause)
}

export const unreachable = (endpoint: string, cause: unknown): AppError => {
  const code = codeOf(cause)
  const why = code === undefined ? '' : ` (${code})`
  return new AppError(
    'unavailable',
    `${endpoint} does not answer${why}. Is svc running there? SVC_URL or \`svc login\` names another server.`,
    { cause },
  )
}
