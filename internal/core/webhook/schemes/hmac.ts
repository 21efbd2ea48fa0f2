/** Any sender that puts an HMAC of the body into a header: Shopify, Linear, Sentry and many more. */
import { z } from 'zod'
import { mapping, oneOf, text } from '../../manifest/fields.ts'
import { headerName, secret } from '../fields.ts'
import { fromBase64, fromHex, refused, scheme } from '../scheme.ts'

const HASHES = { sha256: 'SHA-256', sha512: 'SHA-512' } as const
const DECODERS = { hex: fromHex, base64: fromBase64 } as const

export const hmac = scheme({
  name: 'hmac',
  schema: mapping({
    scheme: z.literal('hmac'),
    secret,
    header: headerName,
    algorithm: oneOf(['sha256', 'sha512']).default('sha256'),
    encoding: oneOf(['hex', 'base64']).default('hex'),
    prefix: text(50).optional(),
  }),
  read: (settings, { header, body }) => {
    const { algorithm, encoding, prefix = '' } = settings
    const text = header(settings.header)
    if (text === undefined) return refused('missing_signature')
    const signature = text.startsWith(prefix) ? DECODERS[encoding](text.slice(prefix.length)) : null
    if (signature === null) return refused('malformed_signature')
    return { kind: 'signed', hash: HASHES[algorithm], message: body, signatures: [signature] }
  },
})
