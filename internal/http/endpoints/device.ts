import { json, jsonOrPage, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { formOrJson } from '../pages/form-body.ts'
import { MAX_SMALL_BODY_BYTES } from '../schemas/small-body.ts'
import { z } from '../schemas/z.ts'

// not strict, because requests of RFC 8628 may have parameters of extensions, which a server ignores
export const codeBody = z.object({ client_id: z.literal('svc-cli') })

export const tokenBody = z.object({ device_code: z.string().min(1).max(200) })

export const decisionBody = z.strictObject({
  user_code: z.string().min(1).max(40),
  workspace: z.string().max(63).optional(),
  approve: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
})

const codeAnswer = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url(),
  verification_uri_complete: z.url(),
  expires_in: z.int(),
  interval: z.int(),
})

export const deviceEndpoints = {
  createDeviceCode: endpoint({
    method: 'post',
    path: '/api/auth/device/code',
    admits: ['public'],
    tag: 'Access',
    summary: 'Begin a device login (RFC 8628)',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: formOrJson(codeBody),
    answers: { 200: json('Begun', codeAnswer) },
  }),
  exchangeDeviceCode: endpoint({
    method: 'post',
    path: '/api/auth/device/token',
    admits: ['public'],
    tag: 'Access',
    summary: 'Ask whether the device login was approved; answers the token once',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: formOrJson(tokenBody),
    answers: {
      200: json(
        'Approved',
        z.object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          expires_in: z.int().describe('seconds'),
          workspace: z.string(),
        }),
      ),
      400: problem('authorization_pending, slow_down, expired_token or access_denied'),
    },
  }),
  approveDevice: endpoint({
    method: 'post',
    path: '/api/auth/device/approve',
    admits: ['any'],
    tag: 'Access',
    summary:
      'Approve or deny a device login, as a signed-in person: `{user_code, workspace?, approve}`',
    bodyKind: 'raw',
    bodyLimit: MAX_SMALL_BODY_BYTES,
    rawBody: formOrJson(decisionBody),
    answers: {
      200: jsonOrPage('Decided', z.object({ approved: z.boolean() })),
      404: problem('No login waits under this code'),
    },
  }),
  getDevicePage: endpoint({
    method: 'get',
    path: '/device',
    admits: ['public'],
    tag: 'Access',
    summary: 'The page on which a person approves a device login',
    query: z.object({ user_code: z.string().max(40).default('') }),
    answers: { 200: media('text/html', 'A form') },
  }),
}
