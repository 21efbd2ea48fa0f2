/** A body that a page's form or a program may send: the same fields as application/x-www-form-urlencoded or as JSON. */
import { AppError, invalid } from '#core/error.ts'
import type { RequestFacts } from './route.ts'
import type { z } from './schemas/z.ts'

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
const JSON_TYPE = /^application\/json\s*(?:;|$)/i

export type FormBody<T> = Readonly<{ fields: T; isForm: boolean }>

/** @throws {AppError} invalid, unsupported_media_type */
export const readFormBody = <T>(
  { header, bodyBytes }: Pick<RequestFacts, 'header' | 'bodyBytes'>,
  shape: z.ZodType<T>,
): FormBody<T> => {
  const type = header('content-type') ?? ''
  const isForm = FORM.test(type)
  if (!(isForm || JSON_TYPE.test(type))) {
    throw new AppError(
      'unsupported_media_type',
      'Send the fields as a form or as application/json.',
    )
  }
  const text = new TextDecoder().decode(bodyBytes)
  const parsed = shape.safeParse(
    isForm ? Object.fromEntries(new URLSearchParams(text)) : toJson(text),
  )
  if (parsed.success) return { fields: parsed.data, isForm }
  throw invalid('The fields are not as this route takes them.', {
    details: parsed.error.issues.map(({ path, message }) => ({
      path: ['body', ...path.map(String)].join('.'),
      message,
    })),
  })
}

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid('The body is not valid JSON.', { code: 'malformed_json', cause })
  }
}
