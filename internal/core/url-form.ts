/** Reads application/x-www-form-urlencoded. */
import { invalid } from './error.ts'
import { limit } from './limit.ts'

/** `URLSearchParams` takes a tenth of a second for 64 KiB of empty fields, and seconds for a megabyte. */
const MAX_FIELDS = limit(
  'account.form_fields',
  1_000,
  'items',
  'Fields of a form that a page of svc sends. More: 400.',
)

/** @throws {AppError} invalid `malformed_form`: it has too many fields */
export const readUrlForm = (text: string): URLSearchParams => {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    fields += 1
    if (fields > MAX_FIELDS) {
      throw invalid(`The form has more than ${MAX_FIELDS} fields.`, { code: 'malformed_form' })
    }
  }
  return new URLSearchParams(text)
}
