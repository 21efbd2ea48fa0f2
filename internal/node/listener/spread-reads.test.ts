import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { spreadReads } from './spread-reads.ts'

let server: Server
let note: (socket: Socket) => void
let sockets: readonly Socket[]
const paused = (): readonly boolean[] => sockets.map((socket) => socket.isPaused())
const noteMany = (socket: Socket | undefined, count: number): void => {
  if (socket === undefined) throw new Error('There is no such connection.')
  for (let at = 0; at < count; at += 1) note(socket)
}

beforeEach(() => {
  server = createServer()
  note = spreadReads(server)
  sockets = Array.from({ length: 3 }, () => new Socket())
  for (const socket of sockets) {
    server.emit('connection', socket)
    socket.resume()
  }
})

test('a turn with few waiting requests reads every connection', () => {
  noteMany(sockets[0], 511)
  expect(paused()).toEqual([false, false, false])
})

test('a turn with many waiting requests reads no further connection, and the next turn reads all', async () => {
  noteMany(sockets[0], 300)
  noteMany(sockets[1], 212)
  expect(paused()).toEqual([true, true, true])
  await nextTurn()
  expect(paused()).toEqual([false, false, false])
})

test('requests of several turns do not add up', async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    noteMany(sockets[0], 300)
    await nextTurn()
  }
  expect(paused()).toEqual([false, false, false])
})

test('a connection that svc has paused itself stays paused', async () => {
  sockets[2]?.pause()
  noteMany(sockets[0], 512)
  await nextTurn()
  expect(paused()).toEqual([false, false, true])
})
