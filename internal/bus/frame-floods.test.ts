import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { portOf } from '../../test/support/port-of.ts'
import { createBus } from './bus.ts'
import { BUS_PATH } from './protocol.ts'

const HANDSHAKE = [
  `GET ${BUS_PATH} HTTP/1.1`,
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  '\r\n',
].join('\r\n')
const FRAMES = 20_000
const AT_ONCE = 8

it.each([
  ['messages', 0x82],
  ['pings', 0x89],
])('strangers that send thousands of empty %s do not hold up a node', async (_what, first) => {
  const bus = createBus({
    key: randomBytes(32),
    describe: () => ({
      id: '019abcde-0000-7000-8000-000000000001',
      name: 'node',
      version: '1.0.0',
      serves: true,
      schedules: false,
      worker: null,
    }),
    now: () => Date.now(),
    onHint: () => undefined,
    onJoined: () => undefined,
    onStranger: () => undefined,
    onUnreached: () => undefined,
  })
  const server = createServer().on('upgrade', bus.accept)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const frames = Buffer.alloc(FRAMES * 6)
  for (let at = 0; at < frames.length; at += 6) frames.set([first, 0x80], at)
  const flood = async (): Promise<void> => {
    const socket = connect(portOf(server), '127.0.0.1').on('error', () => undefined)
    socket.write(HANDSHAKE)
    await once(socket, 'data')
    // not `once` of node:events, because the server may reset the connection
    const closed = new Promise((resolve) => socket.resume().once('close', resolve))
    socket.end(frames)
    await closed
  }
  const longestMs = await leastLongestTurnMs(() =>
    Promise.all(Array.from({ length: AT_ONCE }, flood)),
  )
  expect(longestMs).toBeLessThan(50)
  await bus.stop()
  server.close()
})
