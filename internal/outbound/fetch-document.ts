/**
 * Fetches a document from a URL that a caller provides. It guarantees: it connects only to addresses
 * that the guard has checked, reads no more than the limit, and ends in time. A fault of the remote
 * server is a result; a URL that is not allowed is an error.
 */

import type { IncomingMessage } from 'node:http'
import { AppError, callerGone } from '#core/error.ts'
import { joinBytes } from '#core/join-bytes.ts'
import { limit } from '#core/limit.ts'
import {
  type GuardRules,
  guardUrl,
  ownAddresses,
  parseFetchUrl,
  refuseUrl,
} from './address-guard.ts'
import { type FileKind, sniffKind } from './file-kind.ts'
import { orAborted } from './or-aborted.ts'
import { requestAt } from './request-at.ts'
import { resolveHost } from './resolve-host.ts'

/** `unreachable`: unknown name, refused or broken connection, or a status other than 200. */
export type FetchFailure = 'unreachable' | 'too_slow' | 'too_large' | 'empty' | 'unsupported_type'

export type FetchedDocument =
  | Readonly<{ kind: 'file'; type: FileKind; bytes: Uint8Array }>
  | Readonly<{ kind: 'failed'; failure: FetchFailure }>

export type FetchOptions = Readonly<{
  /** Hosts that need not be public (SVC_FETCH_ALLOW). */
  allow: readonly string[]
  /** @default 10 MiB */
  maxBytes?: number
  /** Milliseconds for the whole fetch. @default 15,000 */
  timeoutMs?: number
  resolve?: GuardRules['resolve']
  ownAddresses?: GuardRules['ownAddresses']
}>

/** @param caller ends the fetch when it is aborted */
export type FetchDocument = (url: string, caller?: AbortSignal) => Promise<FetchedDocument>

const MAX_BYTES = limit(
  'document.fetched',
  10 * 1_024 * 1_024,
  'bytes',
  'Document that is fetched from a URL.',
)
const TIMEOUT_MS = limit('document.fetch_time', 15_000, 'ms', 'Time to fetch a document.')
const MAX_REDIRECTS = limit('document.redirects', 3, 'times', 'Redirects that a fetch follows.')

class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly failure: FetchFailure
  constructor(failure: FetchFailure) {
    super(failure)
    this.failure = failure
  }
}

const readBody = async (answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) throw new FetchError('too_large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer) {
    if (!(chunk instanceof Uint8Array)) throw new FetchError('unreachable')
    size += chunk.length
    if (size > maxBytes) throw new FetchError('too_large')
    chunks.push(chunk)
  }
  return joinBytes(chunks)
}

/** Returns the target of a redirect, or null. @throws {AppError} it leads to another host */
const redirectOf = ({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null => {
  if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) return null
  const relative = URL.parse(headers.location, from.href)
  const to = relative === null ? null : parseFetchUrl(relative.href)
  if (to === null || to.hostname !== from.hostname) {
    throw refuseUrl('it redirects to another host.')
  }
  return to
}

type Hop = Readonly<{ rules: GuardRules; signal: AbortSignal; maxBytes: number }>

const follow = async (url: URL, hop: Hop, left: number): Promise<Uint8Array> => {
  const address = await guardUrl(url, hop.rules)
  hop.signal.throwIfAborted()
  const answer = await requestAt(url, address, {
    signal: hop.signal,
    headers: { accept: 'application/pdf, image/jpeg, image/png' },
  })
  try {
    const next = redirectOf(answer, url)
    if (next !== null && left > 0) return await follow(next, hop, left - 1)
    const isEncoded = (answer.headers['content-encoding'] ?? 'identity') !== 'identity'
    if (answer.statusCode !== 200 || isEncoded) throw new FetchError('unreachable')
    return await readBody(answer, hop.maxBytes)
  } finally {
    answer.destroy()
  }
}

const toFailure = (error: unknown, signal: AbortSignal): FetchedDocument => {
  if (error instanceof AppError) throw error
  if (error instanceof FetchError) return { kind: 'failed', failure: error.failure }
  return { kind: 'failed', failure: signal.aborted ? 'too_slow' : 'unreachable' }
}

/**
 * Creates the fetcher. The only errors that the returned function throws are AppError invalid `url_not_allowed`, and
 * unavailable if the caller has gone.
 */
export const createFetchDocument = (options: FetchOptions): FetchDocument => {
  const rules: GuardRules = {
    allow: options.allow,
    resolve: options.resolve ?? resolveHost,
    ownAddresses: options.ownAddresses ?? ownAddresses,
  }
  const maxBytes = options.maxBytes ?? MAX_BYTES
  return async (text, caller) => {
    const url = parseFetchUrl(text)
    const late = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
    const signal = caller === undefined ? late : AbortSignal.any([late, caller])
    try {
      const hop = { rules, signal, maxBytes }
      const bytes = await orAborted(follow(url, hop, MAX_REDIRECTS), signal)
      if (bytes.length === 0) return { kind: 'failed', failure: 'empty' }
      const type = sniffKind(bytes)
      if (type === null) return { kind: 'failed', failure: 'unsupported_type' }
      return { kind: 'file', type, bytes }
    } catch (error) {
      if (caller?.aborted === true) throw callerGone()
      return toFailure(error, signal)
    }
  }
}
