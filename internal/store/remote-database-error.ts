/**
 * Tells what became of a statement that failed on its way to sqld or Turso. Only what the server said about a statement,
 * or a connection that was never made, is certain (`none`); everything else may have been committed (`unknown`).
 */
import { LibsqlBatchError, LibsqlError } from '@libsql/client/web'
import { DatabaseError } from './database.ts'
import { codeOf, kindOfSqliteCode, messageOf } from './database-error.ts'

const NEVER_CONNECTED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|connection refused|dns error/i

const REFUSED_TOKEN = /HTTP status 40[13]|AUTH_/

const MAX_CAUSES = 5

/** Codes and messages of the error and of what caused it, in one text. */
const describe = (error: unknown): string => {
  const parts: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    parts.push(codeOf(current), current.message)
    current = current.cause
  }
  return parts.join(' ')
}

/** The server answered with SQLite's own code. */
const toSqliteError = (error: LibsqlError): DatabaseError => {
  const kind = kindOfSqliteCode(error.code)
  const wasCommitting = kind === 'unavailable' && !(error instanceof LibsqlBatchError)
  return new DatabaseError(error.message, {
    kind,
    outcome: wasCommitting ? 'unknown' : 'none',
    cause: error,
  })
}

/** How a write failed; a read that failed has written nothing either way. */
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
  // a statement that the server could not read (SQL_PARSE_ERROR, ARGS_INVALID and the like)
  if (error instanceof LibsqlError && /^(SQL|ARGS)_/.test(error.code)) {
    return new DatabaseError(error.message, { kind: 'other', outcome: 'none', cause: error })
  }
  const isCertain = NEVER_CONNECTED.test(text) || error instanceof LibsqlBatchError
  return new DatabaseError(messageOf(error), {
    kind: 'unavailable',
    outcome: isCertain ? 'none' : 'unknown',
    cause: error,
  })
}

export const timedOut = (timeoutMs: number): DatabaseError =>
  new DatabaseError(`The database did not answer within ${timeoutMs} ms.`, {
    kind: 'unavailable',
    outcome: 'unknown',
  })
