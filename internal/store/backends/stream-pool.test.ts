import { describe, expect, it } from 'vitest'
import type { StatementResult } from '../database.ts'
import { sql } from '../sql.ts'
import type { KeptStream } from './kept-stream.ts'
import { createStreamPool } from './stream-pool.ts'

type Fake = KeptStream & { isClosed: boolean; answer: () => void; break: () => void }

const EMPTY: StatementResult = { rows: [], changes: 0 }

const createFake = (): Fake => {
  const waiting: (() => void)[] = []
  let isBroken = false
  let underWay = 0
  const call = async <T>(result: T): Promise<T> => {
    underWay += 1
    await new Promise<void>((resolve) => waiting.push(resolve))
    underWay -= 1
    return result
  }
  return {
    isClosed: false,
    answer: () => waiting.shift()?.(),
    break: () => {
      isBroken = true
    },
    isReady: () => true,
    underWay: () => underWay,
    isBroken: () => isBroken,
    execute: () => call(EMPTY),
    batch: () => call([EMPTY]),
    close() {
      this.isClosed = true
    },
  }
}

const setUp = () => {
  const opened: Fake[] = []
  let now = 0
  const pool = createStreamPool({
    open: () => {
      const fake = createFake()
      opened.push(fake)
      return fake
    },
    now: () => now,
  })
  const read = () => pool.execute(sql`SELECT 1`)
  const readAtOnce = async (count: number) => {
    const reads = Array.from({ length: count }, read)
    for (const each of [...opened]) for (let n = 0; n < count; n += 1) each.answer()
    await Promise.all(reads)
  }
  return {
    opened,
    pool,
    read,
    readAtOnce,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('the pool of streams', () => {
  it('uses one stream for reads that come one after the other', async () => {
    const { opened, readAtOnce } = setUp()
    for (let n = 0; n < 5; n += 1) await readAtOnce(1)
    expect(opened).toHaveLength(1)
  })

  it('opens four streams at most and shares parallel reads out among them', async () => {
    const { opened, readAtOnce, read } = setUp()
    await readAtOnce(10)
    expect(opened).toHaveLength(4)
    for (let n = 0; n < 8; n += 1) void read()
    expect(opened.map((stream) => stream.underWay())).toEqual([2, 2, 2, 2])
  })

  it('keeps a stream apart for writes', async () => {
    const { opened, pool, readAtOnce } = setUp()
    await readAtOnce(10)
    const writing = pool.batch([sql`SELECT 1`])
    expect(opened).toHaveLength(5)
    opened[4]?.answer()
    await writing
  })

  it('replaces a stream that was idle for ten seconds, and closes it', async () => {
    const { opened, readAtOnce, pass } = setUp()
    await readAtOnce(1)
    pass(9_999)
    await readAtOnce(1)
    expect(opened).toHaveLength(1)
    pass(10_000)
    await readAtOnce(1)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('replaces a stream after a minute of use, when its last call has ended', async () => {
    const { opened, read, readAtOnce, pass } = setUp()
    const first = read()
    pass(60_000)
    await readAtOnce(0)
    const second = read()
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, false])
    opened[0]?.answer()
    await first
    opened[1]?.answer()
    await second
    await Promise.all([read(), opened[1]?.answer()])
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('gives no further call to a broken stream and lets those under way end', async () => {
    const { opened, read } = setUp()
    const first = read()
    opened[0]?.break()
    const second = read()
    expect(opened).toHaveLength(2)
    expect(opened[0]?.isClosed).toBe(false)
    opened[0]?.answer()
    opened[1]?.answer()
    await Promise.all([first, second])
    expect(opened[0]?.isClosed).toBe(true)
  })

  it('closes all streams with the pool', async () => {
    const { opened, pool, readAtOnce } = setUp()
    await readAtOnce(4)
    pool.close()
    expect(opened.every(({ isClosed }) => isClosed)).toBe(true)
  })
})

describe('the order of writes', () => {
  const write = (pool: ReturnType<typeof setUp>['pool']) => pool.batch([sql`SELECT 1`])

  it('is kept while all go over one stream', async () => {
    const { opened, pool } = setUp()
    expect(pool.keepsOrder()).toBe(false)
    const writes = [write(pool), write(pool)]
    expect(opened).toHaveLength(1)
    expect(pool.keepsOrder()).toBe(true)
    opened[0]?.answer()
    opened[0]?.answer()
    await Promise.all(writes)
    expect(pool.keepsOrder()).toBe(true)
  })

  it('is not kept while a stream that broke has calls under way', async () => {
    const { opened, pool } = setUp()
    const writes = [write(pool)]
    opened[0]?.break()
    expect(pool.keepsOrder()).toBe(false)
    writes.push(write(pool))
    expect(opened).toHaveLength(2)
    expect(pool.keepsOrder()).toBe(false)
    opened[0]?.answer()
    await writes[0]
    expect(pool.keepsOrder()).toBe(true)
    opened[1]?.answer()
    await writes[1]
  })

  it('is not kept when a stream that is a minute old gives way to another', async () => {
    const { opened, pool, pass } = setUp()
    const first = write(pool)
    pass(60_000)
    expect(pool.keepsOrder()).toBe(false)
    opened[0]?.answer()
    await first
  })
})
