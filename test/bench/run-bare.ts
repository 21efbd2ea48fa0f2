/**
 * One sample of the parts without svc, which shows how fast this machine lets it be: `run-bare.ts enqueue|drain`, `run-bare.ts
 * chain <commits> <messages>` and `run-bare.ts http <commits> <callers>`. The database has one narrow table and the durability
 * of svc. A message goes through pipes to an unconfined Node process that sends it back.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import Libsql from 'libsql'
import { z } from 'zod'
import { openHttpLoad } from './http-load.ts'
import { usageOf } from './process-usage.ts'
import { ownUsage, printSample, type Sample } from './sample.ts'
import { median, quantile } from './statistics.ts'

type Table = Readonly<{ db: Libsql.Database; insert: (input: string) => void }>

const folder = mkdtempSync(join(tmpdir(), 'svc-bare-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const openTable = (): Table => {
  const db = new Libsql(join(folder, 'bare.db'))
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = FULL')
  db.exec('CREATE TABLE jobs (id INTEGER PRIMARY KEY, status INTEGER DEFAULT 0, input TEXT)')
  const insert = db.prepare('INSERT INTO jobs (input) VALUES (?)')
  return { db, insert: (input) => void insert.run([input]) }
}

const ECHO = 'process.stdin.pipe(process.stdout)'

/** Sends one line at a time to a process and returns what comes back. */
const openEcho = (): Readonly<{ send: (line: string) => Promise<void>; close: () => void }> => {
  const child = spawn(process.execPath, ['-e', ECHO], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers: (() => void)[] = []
  child.stdout.on('data', (data: Buffer) => {
    for (const byte of data) if (byte === 0x0a) answers.shift()?.()
  })
  return {
    send: (line) =>
      new Promise((resolve) => {
        answers.push(resolve)
        child.stdin.write(`${line}\n`)
      }),
    close: () => child.kill(),
  }
}

const INPUT = '{"id":"x"}'
const ENQUEUE_MS = 3_000

/** S1: one row in each commit. */
const enqueue = (): Sample => {
  const { insert } = openTable()
  const before = performance.now()
  let count = 0
  for (; performance.now() < before + ENQUEUE_MS; count += 1) insert(INPUT)
  const seconds = (performance.now() - before) / 1_000
  return { value: count / seconds, ...ownUsage(), check: `${count} rows, a commit each` }
}

const DRAINED = 20_000
const BATCH = 500
const idRows = z.array(z.object({ id: z.number() }))

/** S2: claims and ends of 500 rows in a commit. */
const drain = (): Sample => {
  const { db, insert } = openTable()
  db.transaction(() => {
    for (let at = 0; at < DRAINED; at += 1) insert(INPUT)
  })()
  db.exec('CREATE INDEX jobs_ready ON jobs (id) WHERE status = 0')
  const claim = db.prepare(
    'UPDATE jobs SET status = 1 WHERE id IN (SELECT id FROM jobs WHERE status = 0 ORDER BY id LIMIT ?) RETURNING id',
  )
  const end = db.prepare(
    'UPDATE jobs SET status = 2 WHERE status = 1 AND id IN (SELECT value FROM json_each(?))',
  )
  const before = performance.now()
  let count = 0
  while (count < DRAINED) {
    const ids = idRows.parse(claim.all([BATCH])).map(({ id }) => id)
    end.run([JSON.stringify(ids)])
    count += ids.length
  }
  const seconds = (performance.now() - before) / 1_000
  return { value: count / seconds, ...ownUsage(), check: `${count} rows in batches of ${BATCH}` }
}

const CHAINS = 400
const WARMING = 50

/** S7 and S16: commits and messages in turn, each after the one before. */
const chain = async (commits: number, messages: number): Promise<Sample> => {
  const { insert } = openTable()
  const echo = openEcho()
  const runOnce = async (): Promise<number> => {
    const before = performance.now()
    for (let at = 0; at < Math.max(commits, messages); at += 1) {
      if (at < commits) insert(INPUT)
      if (at < messages) await echo.send(INPUT)
    }
    return performance.now() - before
  }
  for (let at = 0; at < WARMING; at += 1) await runOnce()
  const times: number[] = []
  for (let at = 0; at < CHAINS; at += 1) times.push(await runOnce())
  echo.close()
  const check = `${CHAINS} chains of ${commits} commits and ${messages} messages`
  return { value: median(times), ...ownUsage(), check, more: { p99: quantile(times, 0.99) } }
}

const GUESTS = 2

/** Serves requests with the given number of commits and one message each. The parent process learns the port. */
const serve = (commits: number): void => {
  const { insert } = openTable()
  const echoes = Array.from({ length: GUESTS }, openEcho)
  let next = 0
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    for (let at = 0; at < commits; at += 1) insert(body)
    next += 1
    await echoes[next % GUESTS]?.send(body)
    response.setHeader('content-type', 'application/json')
    response.end(body)
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => void answer(body, response))
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
  process.once('disconnect', () => {
    for (const echo of echoes) echo.close()
    process.exit()
  })
}

const startServer = async (
  commits: number,
): Promise<Readonly<{ server: ChildProcess; url: string }>> => {
  const server = fork(import.meta.filename, ['serve', String(commits)])
  const address = await new Promise((resolve) => server.once('message', resolve))
  const { port } = z.object({ port: z.number() }).parse(address)
  return { server, url: `http://127.0.0.1:${port}` }
}

const HTTP_MS = 4_000

/** S5 and S12. @returns the median time for one caller, else requests a second */
const callHttp = async (commits: number, callers: number): Promise<Sample> => {
  const { server, url } = await startServer(commits)
  const load = openHttpLoad({ url, token: 'none' }, callers)
  const times: number[] = []
  const callFor = async (ms: number): Promise<void> => {
    const until = performance.now() + ms
    while (performance.now() < until) {
      const before = performance.now()
      const { text } = await load.post('/', INPUT)
      if (text !== INPUT) throw new Error(`The server answered ${text}.`)
      times.push(performance.now() - before)
    }
  }
  const callAll = (ms: number) => Promise.all(Array.from({ length: callers }, () => callFor(ms)))
  await callAll(HTTP_MS / 4)
  times.length = 0
  const before = performance.now()
  const used = usageOf(server.pid ?? 0).cpuS
  await callAll(HTTP_MS)
  const seconds = (performance.now() - before) / 1_000
  const { cpuS, rssMb } = usageOf(server.pid ?? 0)
  load.close()
  server.disconnect()
  return {
    value: callers === 1 ? median(times) : times.length / seconds,
    cpuS: cpuS - used,
    rssMb,
    check: `${times.length} calls, each with its own answer`,
    more: { p99: quantile(times, 0.99) },
  }
}

const [scenario = '', first = '0', second = '1'] = process.argv.slice(2)
const [one, two] = [Number(first), Number(second)]
if (scenario === 'enqueue') printSample(enqueue())
else if (scenario === 'drain') printSample(drain())
else if (scenario === 'chain') printSample(await chain(one, two))
else if (scenario === 'http') printSample(await callHttp(one, two))
else if (scenario === 'serve') serve(one)
else throw new Error(`There is no scenario ${scenario}.`)
