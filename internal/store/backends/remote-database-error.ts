/**
 * Classifies the failures of statements sent to sqld or Turso. Only an error of the server about a statement, or a connection
 * that was never made, is certain (`none`). After any other failure, the statement may have been committed (`unknown`).
 */
import { LibsqlBatchError, LibsqlError } from '@libsql/client/web'
import { DatabaseError } from '../database.ts'
import { codeOf, kindOfSqliteError, messageOf } from '../database-error.ts'

const NEVER_CONNECTED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|tcp connect error|dns error/i

/** Matches the answers of both transports to a redirect. The server has run nothing then. */
const REDIRECTED = /HTTP status 3\d\d|Unexpected server response: 3\d\d/

const REFUSED_TOKEN = /HTTP status 40[13]|AUTH_/

const MAX_CAUSES = 5

/** Returns the error and the chain of its causes. */
const causesOf = (error: unknown): readonly Error[] => {
  const causes: Error[] = []
  let current: unknown = error
  while (current instanceof Error && causes.length < MAX_CAUSES) {
    causes.push(current)
    current = current.cause
  }
  return causes
}

const rootOf = (error: unknown): unknown => causesOf(error).at(-1) ?? error

/** Returns the codes and messages of the error and its causes as one text. */
const describe = (error: unknown): string =>
  causesOf(error)
    .map((cause) => `${codeOf(cause)} ${cause.message}`)
    .join(' ')

/** Converts an answer with an SQLite error code. */
const toSqliteError = (error: LibsqlError): DatabaseError => {
  const kind = kindOfSqliteError(error.code, error.message)
  const isOfDisk = kind === 'unavailable' || kind === 'io'
  const wasCommitting = isOfDisk && !(error instanceof LibsqlBatchError)
  return new DatabaseError(error.message, {
    kind,
    outcome: wasCommitting ? 'unknown' : 'none',
    cause: error,
  })
}

/** Classifies the failure of a write. A failed read has written nothing in any case. */
export const toRemoteError = (error: unknown): DatabaseError => {
  if (error instanceof DatabaseError) return error
  if (error instanceof LibsqlError && error.code.startsWith('SQLITE_')) return toSqliteError(error)
  const text = describe(error)
  if (REFUSED_TOKEN.test(text)) {
    return new DatabaseError(
      `The database refused the token. Check SVC_DATABASE_AUTH_TOKEN. (${messageOf(error)})`,
      { kind: 'other', outcome: 'none', cause: error },
    )
  }
  if (REDIRECTED.test(text)) {
    return new DatabaseError(
      `The database redirects to another address. Set SVC_DATABASE_URL to that one. (${messageOf(error)})`,
      { kind: 'unavailable', outcome: 'none', cause: error },
    )
  }
  // the server could not parse the statement or its arguments (SQL_PARSE_ERROR, ARGS_INVALID and the like)
  if (error instanceof LibsqlError && /^(SQL|ARGS)_/.test(error.code)) {
    const kind = /string or blob too big/.test(error.message) ? 'too_large' : 'other'
    return new DatabaseError(error.message, { kind, outcome: 'none', cause: error })
  }
  // the answer contained a value that this side cannot represent
  if (error instanceof RangeError) {
    return new DatabaseError(error.message, { kind: 'other', outcome: 'unknown', cause: error })
  }
  const isCertain = NEVER_CONNECTED.test(text) || error instanceof LibsqlBatchError
  return new DatabaseError(`The database cannot be reached: ${messageOf(rootOf(error))}`, {
    kind: 'unavailable',
    outcome: isCertain ? 'none' : 'unknown',
    cause: error,
  })
}

/** Returns the same failure as certain, because nothing had been sent yet. */
export const asUnsent = (error: DatabaseError): DatabaseError =>
  new DatabaseError(error.message, { kind: error.kind, outcome: 'none', cause: error.cause })

/** Matches the answer of an endpoint without WebSockets, or of a server that closes the connection before its first answer. */
const REFUSED_HANDSHAKE =
  /Unexpected server response: (4\d\d|501)|subprotocol|closed with code (1002|1003|1008|1011)/

/** Returns whether the server refused to open a stream. Nothing has been sent then. */
export const isRefusedHandshake = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.outcome === 'none' &&
  (REFUSED_HANDSHAKE.test(describe(error)) || REFUSED_TOKEN.test(describe(error)))

/** Makes the error of a request without an answer in time. Whether it was committed is unknown. */
export const timedOut = (timeoutMs: number): DatabaseError =>
  new DatabaseError(`The database did not answer within ${timeoutMs} ms.`, {
    kind: 'unavailable',
    outcome: 'unknown',
  })
