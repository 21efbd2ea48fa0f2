/** Reads the value by which two deliveries count as the same. */
import type { JsonValue } from '#core/json/value.ts'
import { type Dedupe, dedupeText } from '#core/webhook/dedupe.ts'
import type { Delivery } from '#core/webhook/scheme.ts'
import { readJson } from '../portions/read-json.ts'

/** @returns undefined if the text is not JSON @throws {AppError} invalid `malformed_json`: it is too deep or too much */
const parse = async (text: string): Promise<JsonValue | undefined> => {
  try {
    return await readJson(text, 'body')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * @returns null if the delivery has no such value, so that it counts as new
 * @throws {AppError} invalid `malformed_json`: the body is beyond the bounds of JSON, so the value cannot be read
 */
export const dedupeValue = async (
  { body: path, header }: Dedupe,
  delivery: Pick<Delivery, 'body' | 'header'>,
): Promise<string | null> => {
  if (path === undefined) return delivery.header(header ?? '') || null
  const text = new TextDecoder().decode(delivery.body)
  const json = await parse(text)
  return json === undefined ? null : dedupeText(text, json, path)
}
