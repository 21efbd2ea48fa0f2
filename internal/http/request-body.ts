/** Reads a request's body within its limit, whatever size the headers claim. */
import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { AppError, invalid } from '#core/error.ts'
import {
  createJsonBounds,
  HARMLESS_JSON_LENGTH,
  type JsonExcess,
  MAX_JSON_KEYS,
  MAX_JSON_VALUES,
} from '#core/json-bounds.ts'
import { isDeeperThan, MAX_JSON_DEPTH } from '#core/json-depth.ts'
import { parseJson } from '#service/parse-json.ts'
import type { BodyKind } from './endpoint.ts'

export type ReadBody = Readonly<{ bytes: Uint8Array<ArrayBuffer>; text: string; json: unknown }>

export const NO_BODY: ReadBody = { bytes: new Uint8Array(0), text: '', json: undefined }

const tooLarge = (limit: number): AppError =>
  new AppError('too_large', `The body is larger than ${limit} bytes.`)

const readBytes = async (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (request.headers.has('content-encoding')) {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const announced = request.headers.get('content-length')
  if (announced !== null) {
    if (Number(announced) > limit) throw tooLarge(limit)
    // node:http passes on no more bytes than announced
    return new Uint8Array(await request.arrayBuffer())
  }
  if (request.body === null) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body) {
    length += part.length
    if (length > limit) throw tooLarge(limit)
    parts.push(part)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid('The body is not valid UTF-8.', { code: 'malformed_json', cause })
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** A few milliseconds of work on a busy machine. */
const PART_CHARACTERS = 262_144
const SEED = randomInt(2 ** 32)

const tooMuch = (excess: JsonExcess): AppError => {
  switch (excess) {
    case 'depth':
      return invalid(`The JSON nests deeper than ${MAX_JSON_DEPTH} levels.`, {
        code: 'malformed_json',
      })
    case 'values':
      return invalid(`The JSON holds more than ${MAX_JSON_VALUES} values. Send it in parts.`, {
        code: 'malformed_json',
      })
    case 'keys':
      return invalid(
        `The JSON holds more than ${MAX_JSON_KEYS} different keys. Send it in parts.`,
        {
          code: 'malformed_json',
        },
      )
  }
}

/** Reads a large text in parts, so that other requests are answered meanwhile. */
const excessOf = async (text: string): Promise<JsonExcess | 'none'> => {
  if (text.length < HARMLESS_JSON_LENGTH) {
    return isDeeperThan(text, MAX_JSON_DEPTH) ? 'depth' : 'none'
  }
  const bounds = createJsonBounds(text, SEED)
  for (;;) {
    const found = bounds.advance(PART_CHARACTERS)
    // also before the text is parsed
    await setImmediate()
    if (found !== null) return found
  }
}

const parseBody = async (request: Request, text: string): Promise<unknown> => {
  const type = request.headers.get('content-type') ?? ''
  if (!JSON_TYPE.test(type)) {
    throw new AppError(
      'unsupported_media_type',
      `Send the body as application/json${type === '' ? '' : `, not ${type.slice(0, 100)}`}.`,
    )
  }
  const excess = await excessOf(text)
  if (excess !== 'none') throw tooMuch(excess)
  try {
    return await parseJson(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw invalid(`The body is not valid JSON: ${reason}`, { code: 'malformed_json', cause })
  }
}

/** @throws {AppError} too_large, unsupported_media_type, invalid */
export const readBody = async (
  request: Request,
  kind: BodyKind,
  limit: number,
): Promise<ReadBody> => {
  if (kind === 'none' || kind === 'stream') return NO_BODY
  const bytes = await readBytes(request, limit)
  if (kind === 'raw') return { bytes, text: '', json: undefined }
  if (bytes.length === 0) {
    if (kind === 'optional_json') return NO_BODY
    throw invalid('The request needs a JSON body.', { code: 'malformed_json' })
  }
  const text = decodeUtf8(bytes)
  return { bytes, text, json: await parseBody(request, text) }
}
