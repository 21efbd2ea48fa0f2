import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { portOf } from '../../test/support/port-of.ts'
import { parseAddress } from './address.ts'
import { followRedirects } from './redirect.ts'

test('a remote that sends interim responses without end is left at once', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = parseAddress(`http://127.0.0.1:${portOf(server)}/app`)
  const signal = AbortSignal.timeout(10_000)
  const followed = followRedirects({ address, auth: null, pin: '127.0.0.1', signal })
  await expect(followed).rejects.toMatchObject({ code: 'git_unreachable' })
  expect(signal.aborted).toBe(false)
  server.close()
})
