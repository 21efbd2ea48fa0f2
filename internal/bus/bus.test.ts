import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { portOf } from '../../test/support/port-of.ts'
import { type Bus, createBus } from './bus.ts'
import { BUS_PATH, type NodeFacts } from './protocol.ts'

const KEY = randomBytes(32)
let ids: number
let closers: (() => Promise<void>)[]
beforeEach(() => {
  ids = 0
  closers = []
})
afterEach(async () => {
  await Promise.all(closers.map((close) => close()))
})

type TestNode = Readonly<{
  bus: Bus
  heard: string[]
  joined: string[]
  strangers: (string | null)[]
  node: NodeFacts
  setRunning: (running: number) => void
  /** Opens a further cell, which takes longer than joining. */
  openCell: (cell: string) => void
}>

/** Milliseconds by which the clock of the nodes is ahead. */
let passedMs = 0

const openNode = (options: Partial<NodeFacts> = {}, key: Uint8Array = KEY): TestNode => {
  ids += 1
  const node: NodeFacts = {
    id: `019abcde-0000-7000-8000-${String(ids).padStart(12, '0')}`,
    name: `n${ids}`,
    version: '1.0.0',
    serves: false,
    schedules: false,
    worker: null,
    ...options,
  }
  const heard: string[] = []
  const joined: string[] = []
  const strangers: (string | null)[] = []
  let running = 0
  const opened: string[] = []
  const bus = createBus({
    key,
    describe: () =>
      node.worker === null
        ? node
        : {
            ...node,
            worker: { ...node.worker, running, cells: [...node.worker.cells, ...opened] },
          },
    now: () => Date.now() + passedMs,
    onHint: (kind, name) => heard.push(`${kind} ${name}`),
    onJoined: ({ name }) => joined.push(name),
    onStranger: (address) => strangers.push(address),
    onUnreached: () => undefined,
  })
  closers.push(() => bus.stop())
  return {
    bus,
    heard,
    joined,
    strangers,
    node,
    setRunning: (count) => {
      running = count
    },
    openCell: (cell) => void opened.push(cell),
  }
}

const worker = (...tags: string[]) => ({
  group: 'default',
  tags,
  level: 'os' as const,
  workspaces: [],
  cells: ['home'],
  concurrency: 2,
  running: 0,
})

/** @returns the address */
const listen = async ({ bus }: TestNode, port = 0): Promise<string> => {
  const server: Server = createServer()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    bus.accept(request, socket, head),
  )
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => void server.close(() => resolve())))
  return `http://127.0.0.1:${portOf(server)}`
}

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 5_000, interval: 5 })

describe('nodes that share the instance key', () => {
  it('list each other as peers', async () => {
    const server = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    other.bus.follow([await listen(server)])
    await until(() => server.joined.length === 1 && other.joined.length === 1)
    expect(server.bus.peers()).toMatchObject([
      { node: { name: 'n2', worker: { tags: ['default'] } } },
    ])
    expect(other.bus.peers()).toMatchObject([{ node: { name: 'n1', serves: true } }])
  })

  it('list a worker with many tags, such as one for each customer', async () => {
    const server = openNode({ serves: true })
    const tags = Array.from({ length: 1_000 }, (_, at) => `customer-${at}`)
    const other = openNode({ worker: worker(...tags) })
    other.bus.follow([await listen(server)])
    await until(() => server.joined.length === 1)
    expect(server.bus.peers()).toMatchObject([{ node: { worker: { tags } } }])
  })

  it('receive the hints that they need and no others', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const gpu = openNode({ worker: worker('gpu') })
    const plain = openNode({ worker: worker('default') })
    const scheduler = openNode({ schedules: true })
    for (const { bus } of [gpu, plain, scheduler]) bus.follow([address])
    await until(() => server.joined.length === 3)
    server.bus.send('jobQueued', 'gpu')
    server.bus.send('cancelRequested', 'j1')
    server.bus.send('scheduleChanged', 's1')
    server.bus.send('jobChanged', 'j2')
    gpu.bus.send('jobChanged', 'j3')
    plain.bus.send('jobLogged', 'j4')
    await until(() => server.heard.length === 2 && scheduler.heard.length === 1)
    await until(() => gpu.heard.length === 2 && plain.heard.length === 1)
    expect(gpu.heard).toEqual(['jobQueued gpu', 'cancelRequested j1'])
    expect(plain.heard).toEqual(['cancelRequested j1'])
    expect(scheduler.heard).toEqual(['scheduleChanged s1'])
    expect(server.heard.toSorted()).toEqual(['jobChanged j3', 'jobLogged j4'])
  })

  it('pass on to the schedulers what a worker or another server has written, once a second', async () => {
    const first = openNode({ serves: true })
    const address = await listen(first)
    const late = openNode({ serves: true, schedules: true })
    const plain = openNode({ worker: worker('default') })
    const scheduler = openNode({ schedules: true })
    for (const { bus } of [late, plain, scheduler]) bus.follow([address])
    await until(() => first.joined.length === 3)
    for (let n = 0; n < 5; n += 1) {
      plain.bus.send('written', '')
      await new Promise((next) => setTimeout(next, 10))
    }
    await until(() => scheduler.heard.length === 1 && late.heard.length === 1)
    expect(scheduler.heard).toEqual(['written passed_on'])
    await until(() => scheduler.heard.length === 2)
    // a server never passes on a hint that was passed on, so hints do not circulate between servers
    const before = first.heard.length
    await new Promise((next) => setTimeout(next, 1_200))
    expect(scheduler.heard).toEqual(['written passed_on', 'written passed_on'])
    expect({ heard: first.heard.length, plain: plain.heard }).toEqual({ heard: before, plain: [] })
    late.bus.send('written', '')
    await until(() => scheduler.heard.length === 3)
    first.bus.send('written', '')
    await until(() => scheduler.heard.includes('written '))
  })

  it('send the same hint once per turn, and many hints in one message', async () => {
    const server = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    other.bus.follow([await listen(server)])
    await until(() => other.joined.length === 1)
    for (let at = 0; at < 1_000; at += 1) {
      server.bus.send('jobQueued', 'default')
      other.bus.send('jobChanged', `j${at}`)
    }
    await until(() => server.heard.length === 1_000)
    expect(other.heard).toEqual(['jobQueued default'])
  })

  it('notify one worker of a queued job, in turn, and as many as several jobs need', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const workers = Array.from({ length: 4 }, () => openNode({ worker: worker('default') }))
    for (const { bus } of workers) bus.follow([address])
    await until(() => server.joined.length === 4)
    const counts = () => workers.map(({ heard }) => heard.length)
    const sum = () => counts().reduce((all, count) => all + count, 0)
    for (let job = 1; job <= 4; job += 1) {
      server.bus.send('jobQueued', 'default')
      await until(() => sum() === job)
    }
    expect(counts()).toEqual([1, 1, 1, 1])
    // after a second, what the workers were notified of counts no longer, so two of them have room for two jobs each
    passedMs += 1_000
    for (let job = 0; job < 3; job += 1) server.bus.send('jobQueued', 'default')
    await until(() => sum() === 6)
    expect(counts().toSorted()).toEqual([1, 1, 2, 2])
  })

  it('leave the choice to a server, which spares the sender and, when that has room, all like it', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const scheduler = openNode({ schedules: true })
    const sender = openNode({ worker: worker('default') })
    const alike = openNode({ worker: worker('default') })
    const stronger = openNode({ worker: { ...worker('default'), level: 'vm' } })
    for (const { bus } of [scheduler, sender, alike, stronger]) bus.follow([address])
    await until(() => server.joined.length === 4)
    scheduler.bus.send('jobQueued', 'default')
    await until(() => sender.heard.length + alike.heard.length === 1)
    await until(() => stronger.heard.length === 1)
    const before = alike.heard.length
    sender.bus.send('jobQueued', 'default')
    await until(() => stronger.heard.length === 2)
    sender.setRunning(2)
    sender.bus.send('jobQueued', 'default')
    await until(() => alike.heard.length === before + 1 && stronger.heard.length === 3)
    expect(sender.heard.length + before).toBe(1)
    expect(server.heard).toEqual([])
  })

  it('use another server while no worker has joined this one', async () => {
    const first = openNode({ serves: true })
    const address = await listen(first)
    const late = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    for (const { bus } of [late, other]) bus.follow([address])
    await until(() => first.joined.length === 2)
    late.bus.send('jobQueued', 'default')
    await until(() => other.heard.length === 1)
  })

  it('reconnect after the server was away', async () => {
    const first = openNode({ serves: true })
    const address = await listen(first)
    const other = openNode({ worker: worker('default') })
    other.bus.follow([address])
    await until(() => other.joined.length === 1)
    await first.bus.stop()
    await closers.splice(1, 1)[0]?.()
    await until(() => other.bus.peers().length === 0)
    const second = openNode({ serves: true })
    await listen(second, Number(new URL(address).port))
    await until(() => other.joined.length === 2)
    second.bus.send('jobQueued', 'default')
    await until(() => other.heard.length === 1)
  })

  it('disconnect from addresses that are no longer listed', async () => {
    const server = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    other.bus.follow([await listen(server)])
    await until(() => server.bus.peers().length === 1)
    other.bus.follow([])
    await until(() => server.bus.peers().length === 0)
  })
})

describe('untrusted peers', () => {
  it('are refused without the instance key, on either side', async () => {
    const server = openNode({ serves: true })
    const stranger = openNode({ worker: worker('default') }, randomBytes(32))
    const address = await listen(server)
    stranger.bus.follow([address])
    await until(() => server.strangers.length === 1)
    expect(server.strangers).toEqual([null])
    expect([server.joined, stranger.joined]).toEqual([[], []])
  })

  it('learn nothing and are disconnected when they violate the protocol', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const talk = (say: readonly (string | Buffer)[]): Promise<readonly string[]> =>
      new Promise((resolve) => {
        const said: string[] = []
        const socket = new WebSocket(`${address.replace('http', 'ws')}${BUS_PATH}`)
        socket.on('message', (data) => said.push(String(data)))
        socket.on('open', () => {
          for (const text of say) socket.send(text)
        })
        socket.on('error', () => undefined)
        socket.on('close', (code) =>
          resolve([...said.map((text) => text.slice(0, 20)), String(code)]),
        )
      })
    const node = JSON.stringify(server.node)
    const lies = [
      ['no JSON'],
      ['{"t":"hints","hints":{"jobQueued":["default"]}}'],
      ['{"t":"alive","running":1}'],
      [`{"t":"hello","nonce":"x","proof":"x","node":${node}}`],
      ['{"t":"welcome","proof":"x","node":{}}'],
      [randomBytes(64)],
      ['x'.repeat(2_000_000)],
    ]
    const answers = await Promise.all(lies.map(talk))
    for (const [challenge, code] of answers) {
      expect(challenge).toBe('{"t":"challenge","no')
      expect(['4400', '4401', '1009', '1006', '1007']).toContain(code)
    }
    expect(server.heard).toEqual([])
    expect(server.bus.peers()).toEqual([])
  })

  it('cannot block a node by silent connections', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const silent = Array.from(
      { length: 150 },
      () => new WebSocket(`${address.replace('http', 'ws')}${BUS_PATH}`),
    )
    let closed = 0
    for (const socket of silent) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        closed += 1
      })
    }
    // at most eight connections of one network are kept
    await until(() => closed >= 142)
    const node = openNode({ worker: worker('default') })
    node.bus.follow([address])
    await until(() => server.joined.length === 1 && node.joined.length === 1)
    for (const socket of silent) socket.terminate()
  })

  it('cannot replay the proof of another node', async () => {
    const server = openNode({ serves: true })
    const address = await listen(server)
    const spy = openNode({ worker: worker('default') })
    const sent: string[] = []
    const original = WebSocket.prototype.send
    const watch = vi.spyOn(WebSocket.prototype, 'send').mockImplementation(function (
      this: WebSocket,
      ...args: Parameters<typeof original>
    ) {
      sent.push(String(args[0]))
      return Reflect.apply(original, this, args)
    })
    spy.bus.follow([address])
    await until(() => server.joined.length === 1)
    watch.mockRestore()
    const hello = sent.find((text) => text.includes('"hello"')) ?? ''
    const code = await new Promise<number>((resolve) => {
      const socket = new WebSocket(`${address.replace('http', 'ws')}${BUS_PATH}`)
      socket.on('open', () => socket.send(hello))
      socket.on('close', resolve)
    })
    expect(code).toBe(4401)
    expect(server.joined).toHaveLength(1)
  })
})

describe('with a fake clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('a worker reports how many jobs it runs', async () => {
    const server = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    other.bus.follow([await listen(server)])
    await until(() => server.joined.length === 1)
    other.setRunning(2)
    // the worker may learn that it has joined later than the server does, and starts its timer only then
    await until(() => {
      vi.advanceTimersByTime(5_000)
      return server.bus.peers()[0]?.node.worker?.running === 2
    })
  })

  it('a worker gets hints of a cell that it opened after it joined', async () => {
    const server = openNode({ serves: true })
    const other = openNode({ worker: worker('default') })
    other.bus.follow([await listen(server)])
    await until(() => server.joined.length === 1)
    other.openCell('eu')
    await until(() => {
      vi.advanceTimersByTime(5_000)
      return server.bus.peers()[0]?.node.worker?.cells.includes('eu') === true
    })
    server.bus.send('jobQueued', 'default@eu')
    await until(() => other.heard.includes('jobQueued default@eu'))
  })
})
