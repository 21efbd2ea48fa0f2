/** A body that a page's form or a program may send: the same fields as application/x-www-form-urlencoded or JSON. */
import { AppError, forbidden, invalid } from '#core/error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json/value.ts'
import { readUrlForm } from '#core/url-form.ts'
import { readJson } from '#service/portions/read-json.ts'
import { isSameOrigin, type OriginRequest, originFactsOf } from '../admission/same-origin.ts'
import { parsePart, type RequestFacts } from '../request.ts'
import type { z } from '../schemas/z.ts'

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** Whether a content type is that of a page's form. */
export const isFormType = (type: string): boolean => FORM.test(type)

/**
 * Refuses a form that another site's page sent, because such a page could sign its reader in to an attacker's account.
 * Every browser sends an origin with a form. A program sends none (RFC 8628 clients do not), and cannot be tricked.
 */
const requireOwnForm = (request: OriginRequest): void => {
  const facts = originFactsOf(request)
  const isProgram = facts.fetchSite === undefined && facts.origin === undefined
  if (isProgram || isSameOrigin(facts)) return
  throw forbidden('This form must be sent from a page of svc itself.', { code: 'cross_site' })
}

/** The body that `readFormBody` takes, for the OpenAPI document. */
export const formOrJson = <T>(schema: z.ZodType<T>) =>
  ({
    contentType: 'application/json',
    otherContentTypes: ['application/x-www-form-urlencoded'],
    schema,
  }) as const

export type SentFields = Readonly<{
  /** The fields of a form; empty for JSON. */
  texts: ReadonlyMap<string, string>
  /** Null for a form. */
  json: JsonObject | null
}>

/**
 * Reads fields whose names the code does not know. It is for pages that a secret in their address opens: they use no cookie
 * that another site could misuse, so it accepts forms from anywhere.
 * @throws {AppError} invalid, unsupported_media_type
 */
export const readSentFields = async ({
  header,
  bodyBytes,
}: Pick<RequestFacts, 'header' | 'bodyBytes'>): Promise<SentFields> => {
  const type = header('content-type') ?? ''
  const text = new TextDecoder().decode(bodyBytes)
  if (isFormType(type) || (type === '' && text === '')) {
    return { texts: new Map(readUrlForm(text)), json: null }
  }
  if (!JSON_TYPE.test(type)) throw unknownType()
  const json = text === '' ? {} : await readSentJson(text)
  if (!isJsonObject(json)) throw invalid('The body must be a JSON object.')
  return { texts: new Map(), json }
}

const unknownType = (): AppError =>
  new AppError('unsupported_media_type', 'Send the fields as a form or as application/json.')

export type FormBody<T> = Readonly<{ fields: T; isForm: boolean }>

/** @throws {AppError} invalid, unsupported_media_type; forbidden: a form from another site. @throws {RequestShapeError} */
export const readFormBody = <T>(
  request: Pick<RequestFacts, 'header' | 'bodyBytes' | 'baseUrl'>,
  shape: z.ZodType<T>,
): FormBody<T> => {
  const { header, bodyBytes } = request
  const type = header('content-type') ?? ''
  const isForm = isFormType(type)
  if (!(isForm || JSON_TYPE.test(type))) throw unknownType()
  if (isForm) requireOwnForm(request)
  const text = new TextDecoder().decode(bodyBytes)
  const fields = isForm ? Object.fromEntries(readUrlForm(text)) : toJson(text)
  return { fields: parsePart(shape, fields, 'body'), isForm }
}

const notJson = (cause: unknown): AppError =>
  invalid('The body is not valid JSON.', { code: 'malformed_json', cause })

/** For routes that take a small body. */
const toJson = (text: string): JsonValue => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(cause)
  }
}

const readSentJson = async (text: string): Promise<JsonValue> => {
  try {
    return await readJson(text, 'body')
  } catch (error) {
    throw error instanceof SyntaxError ? notJson(error) : error
  }
}
