import { createServer } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Unreachable } from '#outbound/s3/s3-fault.ts'
import { portOf } from '../../test/support/port-of.ts'
import { TLS_CERT, TLS_KEY } from '../../test/support/tls-pair.ts'
import { exchange } from './exchange.ts'
import { unreachable } from './unreachable.ts'

const server = createServer({ cert: TLS_CERT, key: TLS_KEY }, (_, response) => response.end('ok'))
let endpoint = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `https://127.0.0.1:${portOf(server)}`
})
afterAll(() => server.close())

test('a certificate of an unknown authority is named, with the setting that makes it known', async () => {
  const cause = await exchange(endpoint, { method: 'GET', headers: {} }).catch(
    (error: unknown) => error,
  )
  const sentence = `The certificate of ${endpoint} was refused (DEPTH_ZERO_SELF_SIGNED_CERT). Set NODE_EXTRA_CA_CERTS to`
  expect(unreachable(endpoint, cause).message).toContain(sentence)
  expect(s3Unreachable(endpoint, 'the list of backups', cause).message).toContain(sentence)
})

test('an expired certificate and one for other names have other remedies', () => {
  const messageOf = (code: string) =>
    unreachable(endpoint, Object.assign(new Error('refused'), { code })).message
  expect(messageOf('CERT_HAS_EXPIRED')).toContain('Renew its certificate')
  expect(messageOf('ERR_TLS_CERT_ALTNAME_INVALID')).toContain('Use a name for which')
  expect(messageOf('ECONNREFUSED')).toContain('Is svc running there?')
})
