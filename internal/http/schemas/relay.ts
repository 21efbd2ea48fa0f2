/** Shapes of the certificate relay (docs/reference/relay.md). Outside clients rely on their names. */
import { limit } from '#core/limit.ts'
import { RELAY_CODE } from '#core/relay/code.ts'
import { RELAY_ENDS } from '#core/relay/session.ts'
import { errorBody } from './error.ts'
import { z } from './z.ts'

const MAX_WAIT_S = limit('relay.wait', 30, 's', 'Wait for the next state of a session.')
export const MAX_UPLOAD_BYTES = limit(
  'relay.upload',
  1_048_576,
  'bytes',
  'Body of an upload. More: 413.',
)

const certId = z.uuid().describe('names the session; random')
const expiresAt = z.string().describe('RFC 3339')

export const openedSession = z
  .object({ certId, code: z.string().regex(RELAY_CODE).describe('six digits'), expiresAt })
  .openapi('RelaySession')

export const codeBody = z.strictObject({
  code: z.string().regex(RELAY_CODE, 'must be the six digits that the phone shows'),
})

export const codeAnswer = z.object({ certId })

export const uploadBody = z
  .strictObject({
    certDer: z.string().describe('signCert.der, X.509 in DER: base64, at most 200 KB decoded'),
    certKey: z.string().describe('signPri.key: base64, at most 200 KB decoded'),
  })
  .openapi('RelayUpload')

export const waitQuery = z.object({
  wait_s: z
    .string()
    .regex(/^\d{1,2}$/, `must be a whole number from 0 to ${MAX_WAIT_S}`)
    .transform(Number)
    .pipe(z.number().max(MAX_WAIT_S))
    .default(0)
    .describe('answer when something happens, after so many seconds at the latest'),
})

export const waitingAnswer = z.object({ status: z.literal('waiting'), expiresAt })

export const deliveredAnswer = z
  .object({
    status: z.literal('delivered'),
    certId,
    certDer: z.string().describe('base64'),
    certKey: z.string().describe('base64'),
  })
  .openapi('RelayDelivery')

/** The usual error, with how the session ended. */
export const endedAnswer = errorBody
  .extend({ status: z.enum(RELAY_ENDS).describe('delivered: to an earlier call') })
  .openapi('RelayEnded')
