/**
 * The text behind a link that needs no account: its purpose, run, approver and expiry [flows 9.10]. Its holder can read it; the
 * signature at its end proves that svc created it.
 */
import { z } from 'zod'
import { parseJsonOrNull } from '../../json/value.ts'

/** `approval` answers a step, `status` shows a run. A text for one purpose is never valid for the other. */
export type LinkPurpose = 'approval' | 'status'

export type LinkClaims = Readonly<{
  purpose: LinkPurpose
  ws: string
  runId: string
  /** The index of the approval step. */
  index: number
  approver: string
  /** Milliseconds since 1970. */
  expiresAt: number
}>

const claims = z.tuple([
  z.enum(['approval', 'status']),
  z.string().min(1).max(63),
  z.uuid(),
  z.int().min(0).max(1_000),
  z.string().max(200),
  z.int().positive(),
])

const MAX_LENGTH = 2_000

const toBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Returns the part that is signed. */
export const toLinkPayload = (link: LinkClaims): string =>
  toBase64Url(
    new TextEncoder().encode(
      JSON.stringify([
        link.purpose,
        link.ws,
        link.runId,
        link.index,
        link.approver,
        link.expiresAt,
      ]),
    ),
  )

export const joinLink = (payload: string, signature: Uint8Array): string =>
  `${payload}.${toBase64Url(signature)}`

export type ParsedLink = Readonly<{ claims: LinkClaims; payload: string; signature: Uint8Array }>

/** @returns null if svc cannot have made the text */
export const parseLink = (text: string): ParsedLink | null => {
  const [payload, signature, ...rest] = text.length > MAX_LENGTH ? [] : text.split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) return null
  const signed = Buffer.from(signature, 'base64url')
  // accept one spelling only: another that decodes to the same bytes is refused
  if (toBase64Url(signed) !== signature) return null
  const parsed = claims.safeParse(
    parseJsonOrNull(Buffer.from(payload, 'base64url').toString('utf8')),
  )
  if (!parsed.success) return null
  const [purpose, ws, runId, index, approver, expiresAt] = parsed.data
  const found = { purpose, ws, runId, index, approver, expiresAt }
  return { claims: found, payload, signature: signed }
}
