/**
 * Slack: `X-Slack-Signature: v0=…`, the HMAC-SHA256 of `v0:timestamp:body`. When the address is entered at Slack, Slack sends a
 * challenge that it expects back.
 */
import { z } from 'zod'
import { parseJsonOrNull } from '../../json/value.ts'
import { mapping } from '../../manifest/fields.ts'
import { secret } from '../fields.ts'
import { fromHex, isStale, refused, scheme, textAndBody } from '../scheme.ts'

const SIGNATURE = 'x-slack-signature'
const TIMESTAMP = 'x-slack-request-timestamp'
const PREFIX = 'v0='
/** A challenge has about 150 bytes. Larger bodies are events, which are not parsed for it. */
const MAX_CHALLENGE_BYTES = 16_384

const verification = z.object({ type: z.literal('url_verification'), challenge: z.string() })

/** Commands and buttons of Slack send forms, for which this returns null. */
const toJson = (bytes: Uint8Array): unknown =>
  bytes.length > MAX_CHALLENGE_BYTES ? null : parseJsonOrNull(new TextDecoder().decode(bytes))

export const slack = scheme({
  name: 'slack',
  schema: mapping({ scheme: z.literal('slack'), secret }),
  read: (_, delivery) => {
    const text = delivery.header(SIGNATURE)
    const time = delivery.header(TIMESTAMP)
    if (text === undefined || time === undefined) return refused('missing_signature')
    const signature = text.startsWith(PREFIX) ? fromHex(text.slice(PREFIX.length)) : null
    if (signature === null) return refused('malformed_signature')
    if (isStale(time, delivery)) return refused('stale_timestamp')
    const message = textAndBody(`v0:${time}:`, delivery.body)
    return { kind: 'signed', hash: 'SHA-256', message, signatures: [signature] }
  },
  challenge: ({ body }) => verification.safeParse(toJson(body)).data?.challenge ?? null,
})
