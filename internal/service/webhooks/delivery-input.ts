/** What a delivery passes on to its target: the body as text, or with `input: json` the value of its JSON [webhooks 2.6]. */
import { type AppError, invalid } from '#core/error.ts'
import { keepText } from '#core/json/kept-text.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { WebhookBody } from '#core/webhook/body.ts'
import type { WebhookDefinition } from '#core/webhook/definition.ts'
import { readJson } from '../portions/read-json.ts'

export type DeliveryInput = Readonly<{ input: JsonValue; inputJson: string }>

const notJson = (): AppError =>
  invalid('The body is not JSON, which this webhook requires by `input: json`.', {
    code: 'malformed_json',
  })

/** @throws {AppError} invalid `malformed_json`: it is not JSON, or beyond the bounds of JSON */
export const deliveryInput = async (
  { input: kind }: Pick<WebhookDefinition, 'input'>,
  { text, encoding }: WebhookBody,
): Promise<DeliveryInput> => {
  if (kind !== 'json') return { input: text, inputJson: JSON.stringify(text) }
  if (encoding !== 'utf8') throw notJson()
  try {
    const input = await readJson(text, 'body')
    // `ctx.trigger.raw` is read from what is stored, and a script may verify it
    if (typeof input === 'object' && input !== null) keepText(input, text)
    return { input, inputJson: text }
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson()
    throw error
  }
}
