import { empty, json, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import {
  codeAnswer,
  codeBody,
  deliveredAnswer,
  endedAnswer,
  MAX_UPLOAD_BYTES,
  openedSession,
  uploadBody,
  waitingAnswer,
  waitQuery,
} from '../schemas/relay.ts'
import { MAX_SMALL_BODY_BYTES } from '../schemas/small-body.ts'
import { z } from '../schemas/z.ts'

const TAG = 'Certificate relay'

const ended = json('Ended before', endedAnswer)

const unknown = problem('Unknown, or the session of another key')

export const relayEndpoints = {
  createRelaySession: endpoint({
    method: 'post',
    path: '/v2/certificates/session',
    admits: ['api_key'],
    tag: TAG,
    summary: 'Open a session and get the code to show at the desktop',
    answers: { 201: json('Opened', openedSession), 429: problem('Too many sessions wait') },
  }),
  getRelaySession: endpoint({
    method: 'get',
    path: '/v2/certificates/session/{certId}',
    admits: ['api_key'],
    tag: TAG,
    summary: 'Receive the certificate, once; with wait_s as soon as it is there',
    query: waitQuery,
    answers: {
      200: json('The certificate, which is kept nowhere any more', deliveredAnswer),
      202: json('Nothing was uploaded yet', waitingAnswer),
      400: problem('wait_s out of range'),
      404: unknown,
      410: ended,
    },
  }),
  cancelRelaySession: endpoint({
    method: 'delete',
    path: '/v2/certificates/session/{certId}',
    admits: ['api_key'],
    tag: TAG,
    summary: 'Cancel a session; what was uploaded is overwritten',
    answers: {
      200: json('Cancelled, now or before', z.object({ status: z.literal('cancelled') })),
      404: unknown,
      410: ended,
    },
  }),
  openRelaySocket: endpoint({
    method: 'get',
    path: '/v2/certificates/session/{certId}/ws',
    admits: ['api_key'],
    tag: TAG,
    summary:
      'The same over a WebSocket: a message for each state, the last one with the certificate',
    answers: {
      101: empty('A WebSocket; its messages are the bodies of the route above'),
      404: unknown,
      426: problem('Not a WebSocket handshake'),
      429: problem('Too many WebSockets of the key are open'),
    },
  }),
  resolveRelayCode: endpoint({
    method: 'post',
    path: '/v2/certificates/resolve',
    admits: ['public'],
    tag: TAG,
    summary: 'Which session a code belongs to',
    body: codeBody,
    bodyLimit: MAX_SMALL_BODY_BYTES,
    answers: {
      200: json('A live session', codeAnswer),
      400: problem('Not six digits'),
      404: problem('No live session has this code'),
      429: problem('Too many wrong codes, from this address or in all'),
    },
  }),
  uploadCertificate: endpoint({
    method: 'post',
    path: '/v2/certificates/upload/{certId}',
    admits: ['public'],
    tag: TAG,
    summary: 'Hand a certificate and its key to the phone that waits',
    body: uploadBody,
    bodyLimit: MAX_UPLOAD_BYTES,
    answers: {
      200: json(
        'Held, encrypted, until the phone has it',
        z.object({ status: z.literal('uploaded') }),
      ),
      400: problem('Not base64, not an X.509 certificate in DER, PEM, or an empty key'),
      404: problem('Unknown session'),
      409: problem('Uploaded already'),
      410: problem('Delivered, expired or cancelled'),
      413: problem('Over 200 KB'),
      429: problem('The sessions of the workspace hold too much'),
    },
  }),
  getCertificatesPage: endpoint({
    method: 'get',
    path: '/certificates',
    admits: ['public'],
    tag: TAG,
    summary: 'The page on which a person enters the code and picks the two files',
    answers: { 200: media('text/html', 'The page') },
  }),
}
