/**
 * How a sender proves that a delivery comes from it. Each scheme is one value in a file of its own; schemes.ts is the record of
 * them. A scheme reads what a delivery claims; verify.ts compares the claim with the secrets.
 */
import type { z } from 'zod'

/** The parts of a request to a webhook that a scheme reads. */
export type Delivery = Readonly<{
  body: Uint8Array<ArrayBuffer>
  header: (name: string) => string | undefined
  query: (name: string) => string | undefined
  /** Milliseconds since 1970 at which it was received. */
  receivedAt: number
}>

/** Why a delivery is refused with 401. The sender does not get the reason; the webhook's deliveries show it. */
const REFUSALS = [
  'missing_signature',
  'malformed_signature',
  'wrong_signature',
  'stale_timestamp',
  'missing_variable',
] as const
export type Refusal = (typeof REFUSALS)[number]

export type HashName = 'SHA-256' | 'SHA-512'

/** The proof that a delivery claims to have. */
export type Claim =
  | Readonly<{
      kind: 'signed'
      hash: HashName
      message: Uint8Array<ArrayBuffer>
      /** Any one of them may be right. */
      signatures: readonly Uint8Array<ArrayBuffer>[]
    }>
  /** The delivery contains the secret itself. */
  | Readonly<{ kind: 'token'; token: string }>
  /** The scheme requires no proof. */
  | Readonly<{ kind: 'open' }>
  | Readonly<{ kind: 'refused'; reason: Refusal }>

type Declared<Schema extends z.ZodType> = Readonly<{
  name: string
  /** The field `verify` of a webhook with this scheme. */
  schema: Schema
  read: (settings: z.output<Schema>, delivery: Delivery) => Claim
  /** The header that contains the secret itself, which scripts never get. */
  secretHeader?: (settings: z.output<Schema>) => string | null
  /** A text that a verified delivery wants back, instead of starting anything. */
  challenge?: (delivery: Delivery) => string | null
}>

/** A scheme with the settings of one webhook. */
export type BoundScheme = Readonly<{
  read: (delivery: Delivery) => Claim
  secretHeader: string | null
  challenge: (delivery: Delivery) => string | null
}>

/** Declares a scheme with the type of its own settings. */
export const scheme = <Schema extends z.ZodType>({
  name,
  schema,
  read,
  secretHeader,
  challenge = () => null,
}: Declared<Schema>) => ({
  name,
  schema,
  /** @param verify the field `verify`, of this scheme */
  bind: (verify: unknown): BoundScheme => {
    const settings = schema.parse(verify)
    return {
      read: (delivery) => read(settings, delivery),
      secretHeader: secretHeader?.(settings) ?? null,
      challenge,
    }
  },
})

export const refused = (reason: Refusal): Claim => ({ kind: 'refused', reason })

const TOLERANCE_MS = 300_000

/** @param seconds since 1970 as the sender wrote them @returns whether they are more than 300 s away, or not a number */
export const isStale = (seconds: string, { receivedAt }: Delivery): boolean =>
  !/^\d{1,12}$/.test(seconds) || Math.abs(receivedAt - Number(seconds) * 1_000) > TOLERANCE_MS

/** Joins the text and the bytes of the body. */
export const textAndBody = (text: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(text)
  const joined = new Uint8Array(prefix.length + body.length)
  joined.set(prefix)
  joined.set(body, prefix.length)
  return joined
}

/** @returns null if the text is not hex */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^(?:[\da-f]{2})+$/i.test(text)) return null
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** @returns null if the text is not base64 */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[\w+/-]+={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
  } catch {
    // no bytes have base64 of this length
    return null
  }
}
