/** When and in what pieces a job's output is written, with a clock that the test sets. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Statement } from '#store/database.ts'
import { createJobLog, type JobLog } from './job-log.ts'

const CLAIM = { ws: 'w', id: 'job', attempt: 2 }

type Chunk = Readonly<{ seq: unknown; text: string }>

let batches: (readonly Chunk[])[]
let told: number
let respond: () => Promise<unknown>
let log: JobLog

const toChunks = (statements: readonly Statement[]): readonly Chunk[] =>
  statements.map(({ args: [seq, bytes] }) => ({
    seq,
    text: bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : 'no bytes',
  }))
const finish = async (): Promise<readonly Chunk[]> => toChunks(await log.finish())

beforeEach(() => {
  vi.useFakeTimers()
  batches = []
  told = 0
  respond = async () => undefined
  log = createJobLog({
    claim: CLAIM,
    now: () => Date.now(),
    write: (statements) => {
      batches.push(toChunks(statements))
      return respond()
    },
    onWritten: () => {
      told += 1
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a short job’s output is one chunk, returned for the write that ends it', async () => {
  log.append('one\n', 'stdout')
  log.append('', 'stdout')
  log.append('서울\n', 'stdout')
  expect(await finish()).toEqual([{ seq: 0, text: 'one\n서울\n' }])
  await vi.advanceTimersByTimeAsync(10_000)
  expect({ batches, told, timers: vi.getTimerCount() }).toEqual({ batches: [], told: 0, timers: 0 })
})

test('a job without output writes nothing', async () => {
  expect(await finish()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a long job’s output is written every half second, and followers are notified', async () => {
  log.append('one\n', 'stdout')
  await vi.advanceTimersByTimeAsync(499)
  expect(batches).toEqual([])
  log.append('two\n', 'stdout')
  await vi.advanceTimersByTimeAsync(1)
  expect({ batches, told }).toEqual({ batches: [[{ seq: 0, text: 'one\ntwo\n' }]], told: 1 })
  log.append('three\n', 'stdout')
  expect(await finish()).toEqual([{ seq: 1, text: 'three\n' }])
})

test('much output is written at once', async () => {
  log.append('x'.repeat(65_536), 'stdout')
  await vi.advanceTimersByTimeAsync(0)
  expect(batches).toHaveLength(1)
})

test('output that collects during a slow write is cut into chunks of 64 KiB', async () => {
  let answer: () => void = () => undefined
  respond = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  const line = `${'x'.repeat(999)}\n`
  log.append(line.repeat(66), 'stdout')
  await vi.advanceTimersByTimeAsync(0)
  for (let lines = 0; lines < 200; lines += 1) log.append(line, 'stdout')
  const finished = finish()
  answer()
  await vi.advanceTimersByTimeAsync(0)
  answer()
  const written = [...batches.flat(), ...(await finished)]
  expect(written.map(({ text }) => text.length)).toEqual([66_000, 65_000, 65_000, 65_000, 5_000])
  expect(written.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4])
})

test('a chunk whose write failed goes first with the next write, in order', async () => {
  respond = () => Promise.reject(new Error('Away.'))
  log.append('one\n', 'stdout')
  await vi.advanceTimersByTimeAsync(500)
  log.append('two\n', 'stdout')
  await vi.advanceTimersByTimeAsync(500)
  expect(told).toBe(0)
  respond = async () => undefined
  log.append('three\n', 'stdout')
  await vi.advanceTimersByTimeAsync(500)
  const all = ['one\n', 'two\n', 'three\n'].map((text, seq) => ({ seq, text }))
  expect(batches.at(-1)).toEqual(all)
  expect(await finish()).toEqual([])
})

test('a chunk that could never be written goes with the end', async () => {
  respond = () => Promise.reject(new Error('Away.'))
  log.append('one\n', 'stdout')
  await vi.advanceTimersByTimeAsync(500)
  log.append('two\n', 'stdout')
  expect(await finish()).toEqual([
    { seq: 0, text: 'one\n' },
    { seq: 1, text: 'two\n' },
  ])
})

test('the end waits for a write in progress, so that no chunk is written twice or lost', async () => {
  let answer: () => void = () => undefined
  respond = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  log.append('one\n', 'stdout')
  await vi.advanceTimersByTimeAsync(500)
  log.append('two\n', 'stdout')
  const finished = finish()
  answer()
  expect(await finished).toEqual([{ seq: 1, text: 'two\n' }])
})
