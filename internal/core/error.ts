/**
 * The errors that a caller may see. `kind` decides the HTTP status (one table in http/error.ts), clients switch on `code`, and
 * `message` is a sentence for a person that names the remedy. For anything else that is thrown, the caller gets "Internal
 * error." and the log has the whole error.
 */
const ERROR_KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'precondition_failed',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'upgrade_required',
  'rate_limited',
  'unavailable',
  'bad_gateway',
  'timeout',
  'internal',
] as const
export type ErrorKind = (typeof ERROR_KINDS)[number]

/** One fault inside the input: where (`steps[2].items`, `app.yaml:14:5`) and what to do about it. */
export type ErrorDetail = Readonly<{ path: string; message: string }>

export type AppErrorOptions = Readonly<{
  /** @default the kind */
  code?: string
  details?: readonly ErrorDetail[]
  retryAfterS?: number
  cause?: unknown
}>

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly code: string
  readonly details: readonly ErrorDetail[] | undefined
  readonly retryAfterS: number | undefined

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.code = options.code ?? kind
    this.details = options.details
    this.retryAfterS = options.retryAfterS
  }
}

/** Whether a refusal may pass without a change of the request, such as that of a full queue or during a deployment. */
export const isTemporary = ({ kind }: AppError): boolean =>
  kind === 'rate_limited' || kind === 'unavailable'

export const invalid = (message: string, options: AppErrorOptions = {}): AppError =>
  new AppError('invalid', message, options)

/** `notFound('Job')` reads "Job not found." */
export const notFound = (what: string, options: AppErrorOptions = {}): AppError =>
  new AppError('not_found', `${what} not found.`, options)

export const unprocessable = (message: string, options: AppErrorOptions = {}): AppError =>
  new AppError('unprocessable', message, options)

export const unavailable = (message: string, options: AppErrorOptions = {}): AppError =>
  new AppError('unavailable', message, options)

/** The caller has disconnected, so no client receives this error. */
export const callerGone = (): AppError =>
  unavailable('The caller disconnected.', { code: 'caller_gone' })

export const forbidden = (message: string, options: AppErrorOptions = {}): AppError =>
  new AppError('forbidden', message, options)

export const conflict = (message: string, options: AppErrorOptions = {}): AppError =>
  new AppError('conflict', message, options)
