/**
 * Sends signed requests to one bucket of an S3-compatible service (signature version 4, path-style addresses).
 *
 * It guarantees: a request that may be repeated is tried three times; a refusal is an AppError that names the remedy; the
 * access key appears in no message. It follows no redirects, because another host must not get signed requests.
 */
import { setTimeout } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { elementOf, elementsOf } from '#core/backup/s3-document.ts'
import { AppError } from '#core/error.ts'
import { s3Refused, s3Stopped, s3Unreachable } from './s3-fault.ts'

export type S3Settings = Readonly<{
  /** For example `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
}>

type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'

export type S3Request = Readonly<{
  method: Method
  /** Empty for the bucket itself. */
  key: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer> | string
  /** Whether the body of the response may take longer than the time limit of a request. @default false */
  isStreamed?: boolean
}>

export type S3Bucket = Readonly<{
  endpoint: string
  bucket: string
  /** @throws {AppError} for any response that is not a success, or for none */
  send: (request: S3Request) => Promise<Response>
  /** Returns the same bucket without the abort signal. */
  unstoppable: () => S3Bucket
}>

export type S3Options = Readonly<{
  signal: AbortSignal
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number
  /** Milliseconds before the second try; the wait before the third is four times as long. @default 500 */
  retryMs?: number
}>

const TRIES = 3
const RETRY_MS = 500
const REQUEST_MS = 300_000
/** POST is missing, because repeating it would begin or complete an upload twice. */
const REPEATABLE: ReadonlySet<Method> = new Set<Method>(['GET', 'HEAD', 'PUT', 'DELETE'])

/** Codes of errors that may not occur at the next try. */
const PASSING: ReadonlySet<string> = new Set(['backup_place_failed', 'backup_place_unreachable'])

const urlOf = (settings: S3Settings, bucket: string, { key, query = {} }: S3Request): URL => {
  const path = key === '' ? `/${bucket}` : `/${bucket}/${key}`
  const url = new URL(`${settings.endpoint.replace(/\/+$/, '')}${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

const sign = async (
  settings: S3Settings,
  bucket: string,
  request: S3Request,
  now: number,
): Promise<Readonly<{ url: URL; headers: Headers }>> => {
  const { region, accessKeyId, secretAccessKey, sessionToken } = settings
  const signer = new AwsV4Signer({
    method: request.method,
    url: urlOf(settings, bucket, request).href,
    headers: { ...request.headers },
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    datetime: new Date(now).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  })
  const { url, headers } = await signer.sign()
  return { url, headers }
}

const whatOf = ({ method, key }: S3Request): string =>
  key === '' ? 'the list of backups' : `${method} ${key}`

/** Opens a bucket without sending a request. */
export const openBucket = (
  settings: S3Settings,
  bucket: string,
  { signal, now = Date.now, retryMs = RETRY_MS }: S3Options,
): S3Bucket => {
  const { endpoint } = settings

  const sendOnce = async (request: S3Request): Promise<Response> => {
    const { method, body = null, isStreamed = false } = request
    try {
      const { url, headers } = await sign(settings, bucket, request, now())
      const limits = isStreamed ? [signal] : [signal, AbortSignal.timeout(REQUEST_MS)]
      const ends = AbortSignal.any(limits)
      return await fetch(url, { method, headers, body, redirect: 'manual', signal: ends })
    } catch (error) {
      throw signal.aborted ? s3Stopped(error) : s3Unreachable(endpoint, whatOf(request), error)
    }
  }

  const refuse = async (answer: Response, request: S3Request): Promise<AppError> => {
    const date = Date.parse(answer.headers.get('date') ?? '')
    return s3Refused({
      endpoint,
      bucket,
      what: whatOf(request),
      status: answer.status,
      xml: await answer.text().catch(() => ''),
      theirClock: Number.isNaN(date) ? null : date,
      ourClock: now(),
    })
  }

  const attempt = async (request: S3Request): Promise<Response | AppError> => {
    try {
      const answer = await sendOnce(request)
      return answer.ok ? answer : await refuse(answer, request)
    } catch (error) {
      if (error instanceof AppError && error.code !== 'backup_stopped') return error
      throw error
    }
  }

  const send = async (request: S3Request): Promise<Response> => {
    for (let tried = 1; ; tried += 1) {
      const answer = await attempt(request)
      if (!(answer instanceof AppError)) return answer
      const isPassing = PASSING.has(answer.code) && REPEATABLE.has(request.method)
      if (!isPassing || tried === TRIES) throw answer
      await setTimeout(retryMs * 4 ** (tried - 1), null, { signal }).catch((error: unknown) => {
        throw s3Stopped(error)
      })
    }
  }
  const unstoppable = (): S3Bucket =>
    openBucket(settings, bucket, { signal: new AbortController().signal, now, retryMs })
  return { endpoint, bucket, send, unstoppable }
}

/** Returns the names below a prefix, without those of deeper folders. */
export const listNames = async ({ send }: S3Bucket, prefix: string): Promise<readonly string[]> => {
  const names: string[] = []
  for (let token: string | null = ''; token !== null; ) {
    const answer = await send({
      method: 'GET',
      key: '',
      query: {
        'list-type': '2',
        prefix,
        delimiter: '/',
        ...(token === '' ? {} : { 'continuation-token': token }),
      },
    })
    const xml: string = await answer.text()
    names.push(...elementsOf(xml, 'Key').map((key) => key.slice(prefix.length)))
    token =
      elementOf(xml, 'IsTruncated') === 'true' ? elementOf(xml, 'NextContinuationToken') : null
  }
  return names
}

/** Removes an object. A missing object is not an error. */
export const removeObject = async ({ send }: S3Bucket, key: string): Promise<void> => {
  const answer = await send({ method: 'DELETE', key })
  await answer.body?.cancel()
}
