/** Maps errors to HTTP: one table from kind to status. The message of an error that is not an AppError is "Internal error." */
import { AppError, type ErrorDetail, type ErrorKind } from '#core/error.ts'
import { databaseRefusal } from '#service/database-refusal.ts'
import { diskRefusal } from '#service/disk-refusal.ts'
import { RequestShapeError } from './request.ts'

/** The status of each kind of error. */
export const STATUSES = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  upgrade_required: 426,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  timeout: 504,
} as const satisfies Record<ErrorKind, number>

export type WireError = Readonly<{
  status: number
  code: string
  message: string
  details: readonly ErrorDetail[] | undefined
  headers: Readonly<Record<string, string>>
  /** A fault of the server, which belongs in the log. */
  isOurs: boolean
  /** A refusal for lack of room, which ends by itself. The log has a summary of them. */
  isBusy: boolean
}>

export const toWireError = (error: unknown): WireError => {
  if (error instanceof AppError) return fromAppError(error)
  if (error instanceof RequestShapeError) {
    return fromAppError(fromShapeError(error))
  }
  const refusal = databaseRefusal(error)
  if (refusal !== null) {
    const wire = fromAppError(refusal.error)
    return refusal.isOurs ? { ...wire, isOurs: true, isBusy: false } : wire
  }
  const full = diskRefusal(error)
  if (full !== null) return { ...fromAppError(full), isOurs: true, isBusy: false }
  return { ...fromAppError(new AppError('internal', 'Internal error.')), isOurs: true }
}

/** Limit of unknown fields that the message names. `details` lists more. */
const MAX_NAMED = 10

const fromShapeError = ({ part, details, unknownFields }: RequestShapeError): AppError => {
  if (unknownFields.length === 0) {
    return new AppError('invalid', shapeSentence(part), { details })
  }
  const named = unknownFields.slice(0, MAX_NAMED).join(', ')
  const others = unknownFields.length > MAX_NAMED ? ' and others' : ''
  const message =
    unknownFields.length === 1
      ? `Unknown field: ${named}. Remove it or correct its spelling.`
      : `Unknown fields: ${named}${others}. Remove them or correct their spelling.`
  return new AppError('invalid', message, { code: 'unknown_field', details })
}

const shapeSentence = (part: string): string =>
  part === 'arguments'
    ? 'The arguments of the tool are not valid.'
    : `The ${part === 'params' ? 'path' : part} of the request is not valid.`

/**
 * Failures of functions are not logged here, because their own record has the cause. `busy` asks the caller to retry later. The
 * owner of the function sets the isolation level that it needs.
 */
const isOfFunction = ({ code }: AppError): boolean =>
  code.startsWith('function_') || code === 'busy' || code === 'isolation_too_low'

/** Cell errors are not logged: the operator moves the workspace, or sees in /healthz which cell does not answer. */
const isOfCell = ({ code }: AppError): boolean =>
  code === 'workspace_moving' || code === 'cell_unavailable'

/** Senders of webhooks sign their requests and have no bearer token. */
const asksForBearer = ({ kind, code }: AppError): boolean =>
  kind === 'unauthenticated' && code !== 'bad_signature'

/** 503 with `Retry-After`: the server works, but has no room for the request now. */
const isBusy = ({ kind, retryAfterS }: AppError): boolean =>
  kind === 'unavailable' && retryAfterS !== undefined

const fromAppError = (error: AppError): WireError => {
  const status = STATUSES[error.kind]
  // the owner has to fix a remote that does not answer, or a function that fails
  const isOurs =
    status >= 500 && error.kind !== 'bad_gateway' && !isOfFunction(error) && !isOfCell(error)
  return {
    status,
    code: error.code,
    message: error.message,
    details: error.details,
    headers: {
      ...(asksForBearer(error) ? { 'www-authenticate': 'Bearer' } : {}),
      // WebSockets are the only upgrade
      ...(error.kind === 'upgrade_required'
        ? { upgrade: 'websocket', 'sec-websocket-version': '13' }
        : {}),
      ...(error.retryAfterS === undefined ? {} : { 'retry-after': String(error.retryAfterS) }),
    },
    isOurs: isOurs && !isBusy(error),
    isBusy: isOurs && isBusy(error),
  }
}
