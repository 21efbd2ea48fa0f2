/**
 * POST   /v2/certificates/session
 * GET    /v2/certificates/session/{certId}
 * DELETE /v2/certificates/session/{certId}
 * GET    /v2/certificates/session/{certId}/ws
 * POST   /v2/certificates/resolve
 * POST   /v2/certificates/upload/{certId}
 * GET    /certificates
 */
import { AppError } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { cancelSession } from '#service/relay/cancel-session.ts'
import { openSession } from '#service/relay/open-session.ts'
import { receiveCertificate } from '#service/relay/receive-certificate.ts'
import { lookAtOwnSession } from '#service/relay/relay-session.ts'
import { resolveCode } from '#service/relay/resolve-code.ts'
import { uploadCertificate } from '#service/relay/upload-certificate.ts'
import { identifyByApiKey } from '../admit.ts'
import { certificatesPage } from '../certificates-page.ts'
import { languageOf } from '../page-language.ts'
import { toEndReply, toRelayReply } from '../relay-answer.ts'
import { problem, publicRoute, type Route, reply, route } from '../route.ts'
import { toRowId } from '../schemas/job-id.ts'
import {
  codeAnswer,
  codeBody,
  deliveredAnswer,
  endedAnswer,
  MAX_UPLOAD_BYTES,
  openedSession,
  relayParams,
  uploadBody,
  waitingAnswer,
  waitQuery,
} from '../schemas/relay.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const TAG = 'Certificate relay'
const MS_PER_S = 1_000

const ended = { description: 'Ended before', schema: endedAnswer }
const unknown = problem('Unknown, or the session of another key')

type RelayDeps = Pick<Deps, 'db' | 'newId' | 'randomBytes' | 'keyring' | 'hints' | 'limits'>

/** For the phone: an API key opens these. */
const phoneRoutes = (deps: RelayDeps): readonly Route[] => [
  route({
    method: 'post',
    path: '/v2/certificates/session',
    operationId: 'createRelaySession',
    scope: 'api_key',
    tag: TAG,
    summary: 'Open a session, and show its code to whoever sits at the desktop',
    responses: {
      201: { description: 'Opened', schema: openedSession },
      429: problem('Too many sessions wait'),
    },
    handler: async ({ principal: { ws, credentialId } }) => {
      if (ws === null) throw new Error('An API key without a workspace.')
      const { certId, code, expiresAt } = await openSession(deps, { ws, keyId: credentialId })
      return reply(201, { certId, code, expiresAt: toTimestamp(expiresAt) })
    },
  }),
  route({
    method: 'get',
    path: '/v2/certificates/session/{certId}',
    operationId: 'getRelaySession',
    scope: 'api_key',
    tag: TAG,
    summary: 'Receive the certificate, once; with wait_s as soon as it is there',
    params: relayParams,
    query: waitQuery,
    responses: {
      200: {
        description: 'The certificate, which is kept nowhere any more',
        schema: deliveredAnswer,
      },
      202: { description: 'Nothing was uploaded yet', schema: waitingAnswer },
      400: problem('wait_s out of range'),
      404: unknown,
      410: ended,
    },
    handler: async ({ params, query, principal, signal, isHead, requestId, header }) => {
      const received = await receiveCertificate(deps, {
        id: toRowId(params.certId, 'Session'),
        keyId: principal.credentialId,
        waitMs: isHead ? 0 : query.wait_s * MS_PER_S,
        signal,
        mayTake: async () => {
          // the key may have been revoked while the caller waited
          await identifyByApiKey(deps, header('authorization'))
          return !isHead
        },
      })
      return toRelayReply(received, requestId)
    },
  }),
  route({
    method: 'delete',
    path: '/v2/certificates/session/{certId}',
    operationId: 'cancelRelaySession',
    scope: 'api_key',
    tag: TAG,
    summary: 'Cancel a session; what was uploaded is overwritten',
    params: relayParams,
    responses: {
      200: {
        description: 'Cancelled, now or before',
        schema: z.object({ status: z.literal('cancelled') }),
      },
      404: unknown,
      410: ended,
    },
    handler: async ({ params, principal, requestId }) => {
      const own = { id: toRowId(params.certId, 'Session'), keyId: principal.credentialId }
      const end = await cancelSession(deps, own)
      return end === 'cancelled' ? reply(200, { status: end }) : toEndReply(end, requestId)
    },
  }),
  route({
    method: 'get',
    path: '/v2/certificates/session/{certId}/ws',
    operationId: 'openRelaySocket',
    scope: 'api_key',
    tag: TAG,
    summary:
      'The same over a WebSocket: a message for each state, the last one with the certificate',
    params: relayParams,
    responses: {
      101: { description: 'A WebSocket; its messages are the bodies of the route above' },
      404: unknown,
      426: problem('Not a WebSocket handshake'),
    },
    // handshakes never come here: http/relay-socket.ts takes them from the listener
    handler: async ({ params, principal }) => {
      const id = toRowId(params.certId, 'Session')
      await lookAtOwnSession(deps, { id, keyId: principal.credentialId })
      throw new AppError('upgrade_required', 'Connect to this path as a WebSocket.')
    },
  }),
]

/** For the desktop: a code, and then the id that it stands for, are all that is asked for. */
const desktopRoutes = (deps: RelayDeps): readonly Route[] => [
  publicRoute({
    method: 'post',
    path: '/v2/certificates/resolve',
    operationId: 'resolveRelayCode',
    tag: TAG,
    summary: 'Which session a code belongs to',
    body: codeBody,
    responses: {
      200: { description: 'A live session', schema: codeAnswer },
      400: problem('Not six digits'),
      404: problem('No live session has this code'),
      429: problem('Too many wrong codes, from this address or in all'),
    },
    handler: async ({ body: { code }, address }) =>
      reply(200, { certId: await resolveCode(deps, { code, address }) }),
  }),
  publicRoute({
    method: 'post',
    path: '/v2/certificates/upload/{certId}',
    operationId: 'uploadCertificate',
    tag: TAG,
    summary: 'Hand a certificate and its key to the phone that waits',
    params: relayParams,
    body: uploadBody,
    bodyLimit: MAX_UPLOAD_BYTES,
    responses: {
      200: {
        description: 'Held, encrypted, until the phone has it',
        schema: z.object({ status: z.literal('uploaded') }),
      },
      400: problem('Not base64, not an X.509 certificate in DER, PEM, or an empty key'),
      404: problem('Unknown session'),
      409: problem('Uploaded already'),
      410: problem('Delivered, expired or cancelled'),
      413: problem('Over 200 KB'),
    },
    handler: async ({ params, body }) => {
      await uploadCertificate(deps, toRowId(params.certId, 'Session'), body)
      return reply(200, { status: 'uploaded' })
    },
  }),
  publicRoute({
    method: 'get',
    path: '/certificates',
    operationId: 'getCertificatesPage',
    tag: TAG,
    summary: 'The page on which a person enters the code and picks the two files',
    responses: { 200: { description: 'The page', contentType: 'text/html' } },
    handler: (input) => certificatesPage(languageOf(input)),
  }),
]

export const relayRoutes = (deps: RelayDeps): readonly Route[] => [
  ...phoneRoutes(deps),
  ...desktopRoutes(deps),
]
