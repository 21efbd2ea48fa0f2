/** GitHub: `X-Hub-Signature-256: sha256=<hex>`, the HMAC-SHA256 of the body. */
import { z } from 'zod'
import { mapping } from '../../manifest/fields.ts'
import { secret } from '../fields.ts'
import { fromHex, refused, scheme } from '../scheme.ts'

const HEADER = 'x-hub-signature-256'
const PREFIX = 'sha256='

export const github = scheme({
  name: 'github',
  schema: mapping({ scheme: z.literal('github'), secret }),
  read: (_, { header, body }) => {
    const text = header(HEADER)
    if (text === undefined) return refused('missing_signature')
    const signature = text.startsWith(PREFIX) ? fromHex(text.slice(PREFIX.length)) : null
    if (signature === null) return refused('malformed_signature')
    return { kind: 'signed', hash: 'SHA-256', message: body, signatures: [signature] }
  },
})
