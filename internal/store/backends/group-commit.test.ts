import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DatabaseError, type SqlValue, type Statement } from '../database.ts'
import { raw } from '../sql.ts'
import type { CommitPace } from './commit-pace.ts'
import { type Batch, type BatchResult, createGroupCommit } from './group-commit.ts'

const withArgs = (text: string, ...args: SqlValue[]): Statement => ({ sql: text, args })

const batchOf = (...names: string[]): Batch => names.map((name) => raw(name))

const echo = (batch: Batch): BatchResult =>
  batch.map((statement) => ({ rows: [{ sql: statement.sql }], changes: 1 }))

const failure = (
  kind: 'constraint' | 'unavailable' | 'busy',
  outcome: 'none' | 'unknown' = 'none',
): DatabaseError => new DatabaseError(kind, { kind, outcome })

/** Creates a backend in memory that keeps what was committed, and how it was grouped. */
const createBackend = (fails: (names: readonly string[]) => DatabaseError | null = () => null) => {
  const commits: string[][] = []
  const kept: string[] = []
  return {
    commits,
    kept,
    commit: async (batches: readonly Batch[]): Promise<readonly BatchResult[]> => {
      const names = batches.flat().map((statement) => statement.sql)
      commits.push(names)
      const error = fails(names)
      if (error !== null) throw error
      kept.push(...names)
      return batches.map(echo)
    },
  }
}

/** Creates a gate that keeps a commit in progress until the test opens it. */
const createGate = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  return { wait: promise, open: resolve, started }
}

describe('group commit', () => {
  it('commits what was written in one turn together, and gives each writer its own results', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit)
    const [one, two] = await Promise.all([write(batchOf('a', 'b')), write(batchOf('c'))])
    expect(backend.commits).toEqual([['a', 'b', 'c']])
    expect(one).toEqual(echo(batchOf('a', 'b')))
    expect(two).toEqual(echo(batchOf('c')))
  })

  it('gathers what is written while a commit is under way into the next one', async () => {
    const backend = createBackend()
    const gate = createGate()
    const { write } = createGroupCommit(async (batches) => {
      gate.started.resolve()
      if (backend.commits.length === 0) await gate.wait
      return backend.commit(batches)
    })
    const first = write(batchOf('a'))
    await gate.started.promise
    const rest = [write(batchOf('b')), write(batchOf('c'))]
    gate.open()
    await Promise.all([first, ...rest])
    expect(backend.commits).toEqual([['a'], ['b', 'c']])
  })

  it('keeps the order, fails exactly the batches that are to blame, and loses none', async () => {
    const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(flags, fc.integer({ min: 1, max: 50 }), async (bad, maxStatements) => {
        const backend = createBackend((names) =>
          names.some((name) => name.startsWith('bad')) ? failure('constraint') : null,
        )
        const { write } = createGroupCommit(backend.commit, { maxStatements })
        const names = bad.map((isBad, index) => `${isBad ? 'bad' : 'good'}-${index}`)
        const settled = await Promise.allSettled(names.map((name) => write(batchOf(name))))
        expect(settled.map(({ status }) => status === 'rejected')).toEqual(bad)
        expect(backend.kept).toEqual(names.filter((name) => name.startsWith('good')))
      }),
      { numRuns: 60 },
    )
  })

  it('runs batches marked last behind the others of their group, in their order', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit)
    const writes = [
      write(batchOf('a'), { last: true }),
      write(batchOf('b')),
      write(batchOf('c'), { last: true }),
      write(batchOf('d')),
    ]
    const results = await Promise.all(writes)
    expect(backend.commits).toEqual([['b', 'd', 'a', 'c']])
    expect(results).toEqual(['a', 'b', 'c', 'd'].map((name) => echo(batchOf(name))))
  })

  it('commits what is written while a batch takes its place together with that batch', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit)
    const along: Promise<BatchResult>[] = []
    const onQueued = () => void along.push(write(batchOf('claim'), { last: true }))
    await write(batchOf('job'), { onQueued })
    await Promise.all(along)
    expect(backend.commits).toEqual([['job', 'claim']])
  })

  it('finds one failing batch among many without running each of them alone', async () => {
    const backend = createBackend((names) => (names.includes('w77') ? failure('constraint') : null))
    const { write } = createGroupCommit(backend.commit)
    const writes = Array.from({ length: 256 }, (_, index) => write(batchOf(`w${index}`)))
    const settled = await Promise.allSettled(writes)
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(backend.commits.length).toBeLessThan(20)
  })

  it('does not run a group again when no batch is to blame or its outcome is unknown', async () => {
    for (const error of [
      failure('unavailable', 'unknown'),
      failure('constraint', 'unknown'),
      failure('unavailable'),
      failure('busy'),
    ]) {
      const backend = createBackend(() => error)
      const { write } = createGroupCommit(backend.commit)
      const settled = await Promise.allSettled([write(batchOf('a')), write(batchOf('b'))])
      expect(settled).toEqual([
        { status: 'rejected', reason: error },
        { status: 'rejected', reason: error },
      ])
      expect(backend.commits).toHaveLength(1)
    }
  })

  it('keeps groups within their bounds, and lets a batch beyond them go alone', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit, { maxStatements: 3, maxBytes: 100 })
    await Promise.all([
      write(batchOf('a', 'b')),
      write(batchOf('c', 'd')),
      write([withArgs('large', 'x'.repeat(500))]),
      write([withArgs('e', new Uint8Array(60))]),
      write([withArgs('f', 'x'.repeat(60))]),
      write(batchOf('1', '2', '3', '4')),
    ])
    expect(backend.commits).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['large'],
      ['e'],
      ['f'],
      ['1', '2', '3', '4'],
    ])
  })

  it('waits a few turns for company where there was some, and never for a lone writer', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit)
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    await Promise.all([write(batchOf('a')), write(batchOf('b'))])
    await turn()
    const early = write(batchOf('c'))
    await turn()
    // a turn later, but still in time for the same group
    await Promise.all([early, write(batchOf('d'))])
    expect(backend.commits).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    for (const name of ['e', 'f', 'g', 'h']) await write(batchOf(name))
    let isDone = false
    void write(batchOf('i')).then(() => {
      isDone = true
    })
    await turn()
    await turn()
    expect(isDone).toBe(true)
  })

  it('lets the event loop run between groups, however eagerly writers write', async () => {
    const backend = createBackend()
    const { write } = createGroupCommit(backend.commit)
    let isOver = false
    setTimeout(() => {
      isOver = true
    }, 5)
    const writer = async (): Promise<void> => {
      while (!isOver) await write(batchOf('a'))
    }
    await Promise.all([writer(), writer()])
    expect(backend.kept.length).toBeGreaterThan(2)
  })

  it('commits what was begun when it closes, and refuses what comes after', async () => {
    const backend = createBackend()
    const group = createGroupCommit(backend.commit)
    const begun = group.write(batchOf('a'))
    await group.close()
    expect(await begun).toEqual(echo(batchOf('a')))
    await expect(group.write(batchOf('b'))).rejects.toBeInstanceOf(DatabaseError)
    await group.close()
  })
})

describe('group commit over a distant network', () => {
  /** Sends a group whenever something waits, with two batches in each. */
  const eager: CommitPace = { waitMs: () => 0, share: () => 2, leave: () => () => undefined }

  /** Answers arrive when the test lets them. The server has run the groups in order. */
  const setUp = (fails: (names: readonly string[]) => DatabaseError | null = () => null) => {
    const backend = createBackend(fails)
    const gates: (() => void)[] = []
    const group = createGroupCommit(
      async (batches) => {
        const answer = backend.commit(batches)
        answer.catch(() => undefined)
        await new Promise<void>((resolve) => gates.push(resolve))
        return answer
      },
      { pace: eager },
    )
    const untilSent = (count: number) => expect.poll(() => gates).toHaveLength(count)
    return { ...backend, ...group, gates, untilSent }
  }

  it('sends the next group before the last is answered, in the order of the writes', async () => {
    const { commits, gates, write, untilSent } = setUp()
    const answered: string[] = []
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      write(batchOf(name)).then(() => answered.push(name)),
    )
    await untilSent(3)
    expect(commits).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(answered).toEqual([])
    for (const open of gates) open()
    await Promise.all(all)
    expect(answered).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('repeats none of a group whose answer was lost, and leaves those behind it alone', async () => {
    const { commits, gates, write, untilSent } = setUp((names) =>
      names.includes('a') ? failure('unavailable', 'unknown') : null,
    )
    const all = Promise.allSettled(['a', 'b', 'c'].map((name) => write(batchOf(name))))
    await untilSent(2)
    for (const open of gates) open()
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(commits).toEqual([['a', 'b'], ['c']])
  })

  it('lets none leave while a group is narrowed down, and notifies its writers when others were before it', async () => {
    const { commits, gates, write, untilSent } = setUp((names) =>
      names.includes('bad') ? failure('constraint') : null,
    )
    const queued: string[] = []
    const add = (name: string) => write(batchOf(name), { onQueued: () => queued.push(name) })
    const all = Promise.allSettled(['good', 'bad', 'behind'].map(add))
    await untilSent(2)
    expect(queued).toEqual(['good', 'bad', 'behind'])
    gates[0]?.()
    await untilSent(3)
    const later = add('later')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(commits).toEqual([['good', 'bad'], ['behind'], ['good']])
    gates[2]?.()
    await untilSent(4)
    gates[3]?.()
    await untilSent(5)
    for (const open of gates) open()
    await later
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(commits.slice(3)).toEqual([['bad'], ['later']])
    // the later batch has run before this one, so its writer is called again and can add what must follow
    expect(queued).toEqual(['good', 'bad', 'behind', 'later', 'good'])
  })

  it('waits for all groups when it is closed', async () => {
    const { gates, write, close, untilSent } = setUp()
    const all = ['a', 'b', 'c'].map((name) => write(batchOf(name)))
    await untilSent(2)
    let isClosed = false
    const closing = close().then(() => {
      isClosed = true
    })
    gates[0]?.()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isClosed).toBe(false)
    gates[1]?.()
    await Promise.all([...all, closing])
  })
})
