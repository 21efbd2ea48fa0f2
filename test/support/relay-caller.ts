/** A phone and a desktop for tests of the certificate relay. */
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { issueApiKey } from '#service/customers/api-key.ts'
import { CERT_DER, CERT_KEY } from './certificate.ts'
import { type TestAnswer, type TestApp, WS } from './create-test-app.ts'

export const MATERIAL = { certDer: CERT_DER, certKey: CERT_KEY } as const

export const openedSession = z.object({
  certId: z.uuid(),
  code: z.string().regex(/^\d{6}$/),
  expiresAt: z.iso.datetime(),
})
export type OpenedSession = z.infer<typeof openedSession>

export type RelayCaller = Readonly<{
  key: string
  open: () => Promise<OpenedSession>
  receive: (certId: string, waitS?: number) => Promise<TestAnswer>
  cancel: (certId: string) => Promise<TestAnswer>
  resolve: (code: unknown) => Promise<TestAnswer>
  upload: (certId: string, material?: unknown) => Promise<TestAnswer>
}>

export const createRelayCaller = async (app: TestApp): Promise<RelayCaller> => {
  const issued = await issueApiKey(app.deps, { ws: WS, name: 'relay', actor: CLI_ACTOR })
  const token = issued.text
  const session = (certId: string): string => `/v2/certificates/session/${certId}`
  return {
    key: token,
    open: async () => {
      const answer = await app.call('POST', '/v2/certificates/session', { token })
      if (answer.status !== 201) throw new Error(answer.text)
      return openedSession.parse(answer.json)
    },
    receive: (certId, waitS) =>
      app.call('GET', `${session(certId)}${waitS === undefined ? '' : `?wait_s=${waitS}`}`, {
        token,
      }),
    cancel: (certId) => app.call('DELETE', session(certId), { token }),
    resolve: (code) => app.call('POST', '/v2/certificates/resolve', { json: { code } }),
    upload: (certId, material = MATERIAL) =>
      app.call('POST', `/v2/certificates/upload/${certId}`, { json: material }),
  }
}
