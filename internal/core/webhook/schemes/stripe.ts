/** Stripe: `Stripe-Signature: t=…,v1=…`, the HMAC-SHA256 of `t.body`. There may be several v1 while a secret is replaced. */
import { z } from 'zod'
import { mapping } from '../../manifest/fields.ts'
import { secret } from '../fields.ts'
import { fromHex, isStale, refused, scheme, textAndBody } from '../scheme.ts'

const HEADER = 'stripe-signature'

export const stripe = scheme({
  name: 'stripe',
  schema: mapping({ scheme: z.literal('stripe'), secret }),
  read: (_, delivery) => {
    const header = delivery.header(HEADER)
    if (header === undefined) return refused('missing_signature')
    const parts = header.split(',').map((part) => part.trim())
    const valuesOf = (name: string): readonly string[] =>
      parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
    const [time] = valuesOf('t')
    const signatures = valuesOf('v1').flatMap((text) => fromHex(text) ?? [])
    if (time === undefined || signatures.length === 0) return refused('malformed_signature')
    if (isStale(time, delivery)) return refused('stale_timestamp')
    const message = textAndBody(`${time}.`, delivery.body)
    return { kind: 'signed', hash: 'SHA-256', message, signatures }
  },
})
