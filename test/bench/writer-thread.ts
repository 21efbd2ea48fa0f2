/**
 * Measures the basic parts of a writer thread: the cost of a commit when libSQL
 * runs in a separate thread, compared with the event loop's thread.
 *
 * node test/bench/writer-thread.ts
 *
 * `lone` is one commit after the other, each of which a caller waits for. `busy` is a queue of commits that each return 30
 * rows, while the event loop has as much other work per commit.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import Libsql from 'libsql'
import { z } from 'zod'
import { median, quantile } from './statistics.ts'

const ROWS = 30
const LONE = 300
const BUSY = 300
/** Maximum number of commits in progress. The next one is ready when one has ended. */
const AHEAD = 2

type Commit = (rows: number) => Promise<number>

/** @returns a function that commits the given number of updates and returns the rows */
const openStore = (path: string): ((rows: number) => unknown[]) => {
  const db = new Libsql(path)
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = FULL')
  const columns = Array.from({ length: 20 }, (_, at) => `c${at} TEXT NOT NULL DEFAULT 'some text'`)
  db.exec(
    `CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, ${columns.join(', ')})`,
  )
  db.exec(
    `INSERT OR IGNORE INTO t (id, n) SELECT value, 0 FROM json_each('[${[...new Array(1_000).keys()].join(',')}]')`,
  )
  const update = db.prepare('UPDATE t SET n = n + 1 WHERE id = ? RETURNING *')
  update.raw(true)
  let next = 0
  return (rows) => {
    db.exec('BEGIN IMMEDIATE')
    const found: unknown[] = []
    for (let at = 0; at < rows; at += 1) {
      next = (next + 7) % 1_000
      found.push(...update.all([BigInt(next)]))
    }
    db.exec('COMMIT')
    return found
  }
}

const serve = (): void => {
  const { path } = z.object({ path: z.string() }).parse(workerData)
  const commit = openStore(path)
  parentPort?.on('message', (rows: number) => parentPort?.postMessage(commit(rows)))
}

const inThread = async (path: string): Promise<Readonly<{ commit: Commit; stop: () => void }>> => {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { path } })
  await once(worker, 'online')
  const waiting: ((count: number) => void)[] = []
  worker.on('message', (found: readonly unknown[]) => waiting.shift()?.(found.length))
  return {
    commit: (rows) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        worker.postMessage(rows)
      }),
    stop: () => void worker.terminate(),
  }
}

const spin = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const lone = async (commit: Commit): Promise<string> => {
  const times: number[] = []
  for (let at = 0; at < LONE; at += 1) {
    const before = performance.now()
    await commit(1)
    times.push(performance.now() - before)
  }
  return `p50 ${median(times).toFixed(3)} ms, p99 ${quantile(times, 0.99).toFixed(3)} ms`
}

/** @param workMs the event loop's work per commit, in milliseconds */
const busy = async (commit: Commit, workMs: number): Promise<string> => {
  const before = performance.now()
  let left = BUSY
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await commit(ROWS)
      spin(workMs)
    }
  }
  await Promise.all(Array.from({ length: AHEAD }, client))
  const perSecond = (BUSY * ROWS * 1_000) / (performance.now() - before)
  return `${Math.round(perSecond)} rows/s`
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-writer-'))
  const own = openStore(join(folder, 'loop.db'))
  const inLoop: Commit = async (rows) => {
    await turn()
    return own(rows).length
  }
  const thread = await inThread(join(folder, 'thread.db'))
  await thread.commit(ROWS)
  const times: number[] = []
  for (let at = 0; at < 50; at += 1) {
    const before = performance.now()
    await inLoop(ROWS)
    times.push(performance.now() - before)
  }
  const workMs = median(times)
  for (let round = 0; round < 3; round += 1) {
    const lines = [
      `lone, event loop: ${await lone(inLoop)}`,
      `lone, thread:     ${await lone(thread.commit)}`,
      `busy, event loop: ${await busy(inLoop, workMs)}`,
      `busy, thread:     ${await busy(thread.commit, workMs)}`,
    ]
    process.stdout.write(`${lines.join('\n')}\n\n`)
  }
  thread.stop()
  rmSync(folder, { recursive: true, force: true })
}

if (isMainThread) await main()
else serve()
