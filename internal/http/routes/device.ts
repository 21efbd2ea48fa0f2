/**
 * POST /api/auth/device/code
 * POST /api/auth/device/token
 * POST /api/auth/device/approve
 * GET  /device
 */
import { parseUserCode, showUserCode } from '#core/user-code.ts'
import type { Deps } from '#service/deps.ts'
import {
  DEVICE_TOKEN_DAYS,
  decideDeviceLogin,
  pollDeviceLogin,
  startDeviceLogin,
} from '#service/device-login.ts'
import { listMemberships } from '#store/users.ts'
import { deviceDecidedPage, devicePage } from '../device-page.ts'
import { formOrJson, readFormBody } from '../form-body.ts'
import { languageOf } from '../page-language.ts'
import { problem, publicRoute, type Route, reply, route } from '../route.ts'
import { z } from '../schemas/z.ts'
import { findSessionPrincipal } from '../session-principal.ts'
import { signInPage } from '../sign-in-page.ts'

const SECONDS_A_DAY = 86_400

const codeBody = z.object({ client_id: z.literal('svc-cli') })
const tokenBody = z.object({ device_code: z.string().min(1).max(200) })
const decisionBody = z.object({
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

type DeviceDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes'>

export const deviceRoutes = (deps: DeviceDeps): readonly Route[] => [
  publicRoute({
    method: 'post',
    path: '/api/auth/device/code',
    operationId: 'createDeviceCode',
    tag: 'Access',
    summary: 'Begin a device login (RFC 8628)',
    bodyKind: 'raw',
    rawBody: formOrJson(codeBody),
    responses: { 200: { description: 'Begun', schema: codeAnswer } },
    handler: async (input) => {
      readFormBody(input, codeBody)
      const started = await startDeviceLogin(deps)
      const uri = `${input.baseUrl()}/device`
      const shown = showUserCode(started.userCode)
      return reply(200, {
        device_code: started.deviceCode,
        user_code: shown,
        verification_uri: uri,
        verification_uri_complete: `${uri}?user_code=${shown}`,
        expires_in: started.expiresInS,
        interval: started.intervalS,
      })
    },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/device/token',
    operationId: 'exchangeDeviceCode',
    tag: 'Access',
    summary: 'Ask whether the device login was approved; answers the token once',
    bodyKind: 'raw',
    rawBody: formOrJson(tokenBody),
    responses: {
      200: {
        description: 'Approved',
        schema: z.object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          expires_in: z.int().describe('seconds'),
          workspace: z.string(),
        }),
      },
      400: problem('authorization_pending, slow_down, expired_token or access_denied'),
    },
    handler: async (input) => {
      const { fields } = readFormBody(input, tokenBody)
      const { text, ws } = await pollDeviceLogin(deps, fields.device_code)
      return reply(200, {
        access_token: text,
        token_type: 'Bearer',
        expires_in: DEVICE_TOKEN_DAYS * SECONDS_A_DAY,
        workspace: ws,
      })
    },
  }),
  route({
    method: 'post',
    path: '/api/auth/device/approve',
    operationId: 'approveDevice',
    scope: 'any',
    tag: 'Access',
    summary:
      'Approve or deny a device login, as a signed-in person: `{user_code, workspace?, approve}`',
    bodyKind: 'raw',
    rawBody: formOrJson(decisionBody),
    responses: {
      200: { description: 'Decided', schema: z.object({ approved: z.boolean() }) },
      404: problem('No login waits under this code'),
    },
    handler: async (input) => {
      const { fields, isForm } = readFormBody(input, decisionBody)
      const { principal, actor } = input
      await decideDeviceLogin(deps, {
        principal,
        actor,
        userCode: fields.user_code,
        ws: fields.workspace ?? null,
        approve: fields.approve,
      })
      return isForm
        ? deviceDecidedPage(fields.approve, languageOf(input))
        : reply(200, { approved: fields.approve })
    },
  }),
  publicRoute({
    method: 'get',
    path: '/device',
    operationId: 'getDevicePage',
    tag: 'Access',
    summary: 'The page on which a person approves a device login',
    query: z.object({ user_code: z.string().max(40).default('') }),
    responses: { 200: { description: 'A form', contentType: 'text/html' } },
    handler: async (input) => {
      const { user_code: typed } = input.query
      const language = languageOf(input)
      const email = (await findSessionPrincipal(deps, input))?.identity ?? null
      if (email === null) {
        return signInPage(`/device?user_code=${encodeURIComponent(typed)}`, language)
      }
      const code = parseUserCode(typed)
      const workspaces = (await listMemberships(deps.db, email)).map(({ id }) => id)
      const shown = code === null ? typed : showUserCode(code)
      return devicePage({ email, code: shown, workspaces }, language)
    },
  }),
]
