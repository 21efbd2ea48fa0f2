/** Reads a request's body within its limit, whatever size the headers claim. */
import { MIB } from '#core/byte-units.ts'
import { AppError, invalid } from '#core/error.ts'
import { readJson } from '#service/portions/read-json.ts'
import type { BodyKind } from '../endpoint.ts'
import { createArrivingBodies, type Sender, SMALL_BODY_BYTES } from './arriving-bodies.ts'

export type ReadBody = Readonly<{ bytes: Uint8Array<ArrayBuffer>; text: string; json: unknown }>

/** `limit`: its most bytes. */
export type BodyFacts = Sender & Readonly<{ limit: number }>

const NO_BODY: ReadBody = { bytes: new Uint8Array(0), text: '', json: undefined }

const tooLarge = (limit: number): AppError =>
  new AppError('too_large', `The body is larger than ${limit} bytes.`)

/** They are module state because they share the memory of the process. */
const bodies = createArrivingBodies(256 * MIB)

const readBytes = async (
  request: Request,
  { limit, ...sender }: BodyFacts,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (request.headers.has('content-encoding')) {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > limit) throw tooLarge(limit)
  // node:http passes on no more bytes than announced
  if (announced !== null && Number(announced) <= SMALL_BODY_BYTES) {
    return new Uint8Array(await request.arrayBuffer())
  }
  if (request.body === null) return new Uint8Array(0)
  const count = (length: number): void => {
    if (length > limit) throw tooLarge(limit)
  }
  return bodies.read(request.body, count, sender)
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid('The body is not valid UTF-8.', { code: 'malformed_json', cause })
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const contentTypeOf = ({ headers }: Request): string => headers.get('content-type') ?? ''

/** A route without a body reads one only to refuse its fields, which would have no effect [wire 1.4]. */
const mayHaveFields = (request: Request): boolean =>
  request.method !== 'GET' && request.method !== 'HEAD' && JSON_TYPE.test(contentTypeOf(request))

const parseBody = async (request: Request, text: string): Promise<unknown> => {
  const type = contentTypeOf(request)
  if (!JSON_TYPE.test(type)) {
    throw new AppError(
      'unsupported_media_type',
      `Send the body as application/json${type === '' ? '' : `, not ${type.slice(0, 100)}`}.`,
    )
  }
  try {
    return await readJson(text, 'JSON')
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw invalid(`The body is not valid JSON: ${cause.message}`, { code: 'malformed_json', cause })
  }
}

const LONG_MS = 1_000

/**
 * Whether a body has arrived for so long that what was checked before it may have changed: the credential of its sender, or
 * the secret of a webhook [wire 1.6].
 * @param startedAt `performance.now()` before it was read
 */
export const isLate = (startedAt: number): boolean => performance.now() - startedAt >= LONG_MS

/** @throws {AppError} too_large, unsupported_media_type, invalid */
export const readBody = async (
  request: Request,
  kind: BodyKind,
  facts: BodyFacts,
): Promise<ReadBody> => {
  if (kind === 'stream' || (kind === 'none' && !mayHaveFields(request))) return NO_BODY
  const bytes = await readBytes(request, facts)
  if (kind === 'raw') return { bytes, text: '', json: undefined }
  if (bytes.length === 0) {
    if (kind !== 'json') return NO_BODY
    throw invalid('The request needs a JSON body.', { code: 'malformed_json' })
  }
  const text = decodeUtf8(bytes)
  return { bytes, text, json: await parseBody(request, text) }
}
