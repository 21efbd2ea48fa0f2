import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { portOf } from '../../test/support/port-of.ts'
import { createPostTo } from './post-to.ts'

it.each([
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade'],
  ['sends only interim responses', 'HTTP/1.1 103 Early Hints'],
  ['sends something else', 'SSH-2.0-OpenSSH_9.2'],
])('a receiver that %s does not hold up the sender', async (_what, head) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(`${head}\r\n\r\n`))
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server))
    }),
  )
  const post = createPostTo({
    resolve: async () => ['127.0.0.1'],
    isReserved: async () => false,
    timeoutMs: 200,
  })
  const place = `receiver.example:${port}`
  const sent = post({ url: `http://${place}/`, headers: {}, body: '{}', grants: [place] })
  await expect(sent).rejects.toThrow(Error)
  server.close()
})
