/** Turns the refusal of an S3 service, or its silence, into a message that names the remedy. */
import { elementOf } from '#core/backup/s3-document.ts'
import { AppError, forbidden, invalid, unavailable } from '#core/error.ts'
import { explainCertificate } from '#core/network/certificate-fault.ts'

export type Refusal = Readonly<{
  endpoint: string
  bucket: string
  /** The request, for example `PUT svc/svc-1.db`. */
  what: string
  status: number
  /** The body of the response; a response to HEAD has none. */
  xml: string
  /** The clock of the service, milliseconds since 1970; null if the response has no date. */
  theirClock: number | null
  /** The clock of this machine, milliseconds since 1970. */
  ourClock: number
}>

const BAD_KEYS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
])
const WRONG_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'PermanentRedirect',
  'TemporaryRedirect',
])
const MS_PER_MINUTE = 60_000

const clockFault = ({ endpoint, theirClock, ourClock }: Refusal): AppError => {
  const minutes = theirClock === null ? 0 : Math.round((ourClock - theirClock) / MS_PER_MINUTE)
  const by = minutes === 0 ? '' : ` by ${Math.abs(minutes)} min (${minutes > 0 ? 'fast' : 'slow'})`
  return invalid(
    `The clock of this machine differs from that of ${endpoint}${by}. Correct it, for example with NTP.`,
    { code: 'backup_clock_skew' },
  )
}

const keyFault = ({ endpoint }: Refusal, code: string): AppError =>
  forbidden(
    `${endpoint} does not accept the access key (${code}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for keys that expire, AWS_SESSION_TOKEN.`,
    { code: 'backup_bad_key' },
  )

/** An error within a successful status comes from a completion, and counts as temporary like errors of 500 and above. */
const isPassing = (status: number): boolean => status === 429 || status >= 500 || status < 300

/** Creates the error for a response that is not a success. */
export const s3Refused = (refusal: Refusal): AppError => {
  const { endpoint, bucket, what, status, xml } = refusal
  const code = elementOf(xml, 'Code') ?? ''
  if (code === 'NoSuchBucket') {
    return new AppError(
      'not_found',
      `There is no bucket ${bucket} at ${endpoint}. Create it there, or correct the bucket in s3://<bucket>/<folder> or AWS_ENDPOINT_URL_S3.`,
      { code: 'backup_no_bucket' },
    )
  }
  if (code === 'NoSuchKey' || (status === 404 && code === '')) {
    return new AppError(
      'not_found',
      `The bucket ${bucket} has no file for ${what}. Check the address; s3://<bucket>/<folder> takes the newest backup there.`,
    )
  }
  if (code === 'RequestTimeTooSkewed' || code === 'RequestExpired') return clockFault(refusal)
  if (BAD_KEYS.has(code)) return keyFault(refusal, code)
  if (WRONG_REGION.has(code) || status === 301 || status === 307) {
    const region = elementOf(xml, 'Region')
    const name = region === null ? '' : ` It is ${region}.`
    return invalid(
      `The bucket ${bucket} is in another region of ${endpoint}.${name} Set AWS_REGION.`,
      { code: 'backup_wrong_region' },
    )
  }
  if (status === 401 || status === 403) {
    return forbidden(
      `${endpoint} refused ${what} in the bucket ${bucket} (${code || status}). The access key needs the rights to list, read, write and delete there.`,
      { code: 'backup_denied' },
    )
  }
  const said = code === '' ? `${status}` : `${status} ${code}`
  if (!isPassing(status)) {
    return new AppError('bad_gateway', `${endpoint} answered ${said} to ${what}.`, {
      code: 'backup_refused',
    })
  }
  return new AppError('bad_gateway', `${endpoint} answered ${said} to ${what}. Try again later.`, {
    code: 'backup_place_failed',
  })
}

/** The code of the innermost error that has one, such as ECONNREFUSED. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}

/** Creates the error for a request with no response, or an incomplete one. */
export const s3Unreachable = (endpoint: string, what: string, cause: unknown): AppError => {
  const reason = reasonOf(cause)
  return new AppError(
    'bad_gateway',
    explainCertificate(endpoint, reason) ??
      `${endpoint} could not be reached for ${what} (${reason}). Check AWS_ENDPOINT_URL_S3 and the network.`,
    { code: 'backup_place_unreachable', cause },
  )
}

/** Creates the error for work that the signal aborted. */
export const s3Stopped = (cause: unknown): AppError =>
  unavailable('Stopped before the transfer was complete.', {
    code: 'backup_stopped',
    cause,
  })
