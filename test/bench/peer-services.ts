/** PostgreSQL and Redis from Debian and Restate from npm, in a temporary folder, with durable settings. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

export type PeerService = Readonly<{ url: string; pid: number; stop: () => Promise<void> }>

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/** @throws {Error} the program is missing; without a listener, the event would end the whole run */
const started = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })

const userId = (name: string, kind: '-u' | '-g'): number =>
  Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))

const postgresBin = (): string => {
  const root = '/usr/lib/postgresql'
  const newest = readdirSync(root).sort().at(-1)
  if (newest === undefined)
    throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return join(root, newest, 'bin')
}

export const startPostgres = async (): Promise<PeerService> => {
  const bin = postgresBin()
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'bench-postgres-'))
  // PostgreSQL refuses to run as root
  const asUser =
    process.getuid?.() === 0 ? { uid: userId('postgres', '-u'), gid: userId('postgres', '-g') } : {}
  if (asUser.uid !== undefined) chownSync(dir, asUser.uid, asUser.gid)
  execFileSync(
    join(bin, 'initdb'),
    ['-D', dir, '-U', 'bench', '-A', 'trust', '--no-locale', '-E', 'UTF8'],
    {
      ...asUser,
      cwd: dir,
      stdio: 'ignore',
    },
  )
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      dir,
      '-p',
      String(port),
      '-k',
      dir,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'fsync=on',
      '-c',
      'synchronous_commit=on',
      '-c',
      'shared_buffers=256MB',
    ],
    { ...asUser, cwd: dir, stdio: 'ignore' },
  )
  await started(server)
  const deadline = Date.now() + 20_000
  for (;;) {
    try {
      execFileSync(
        join(bin, 'pg_isready'),
        ['-h', '127.0.0.1', '-p', String(port), '-U', 'bench'],
        { stdio: 'ignore' },
      )
      break
    } catch (error) {
      if (Date.now() > deadline) {
        server.kill('SIGKILL')
        throw new Error('PostgreSQL did not start.', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGINT')
      await ended(server)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export const startRedis = async (): Promise<PeerService> => {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'bench-redis-'))
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--save',
      '',
    ],
    { stdio: 'ignore' },
  )
  await started(server)
  const deadline = Date.now() + 10_000
  for (;;) {
    try {
      execFileSync('redis-cli', ['-p', String(port), 'ping'], { stdio: 'ignore' })
      break
    } catch (error) {
      if (Date.now() > deadline) {
        server.kill('SIGKILL')
        throw new Error('Redis did not start.', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGTERM')
      await ended(server)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const RESTATE = resolve(
  import.meta.dirname,
  'peers/node_modules/@restatedev/restate-server-linux-x64/bin/restate-server',
)

/** Its address consists of two: one for calls, and one to register services. */
export const startRestate = async (): Promise<PeerService> => {
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
  const dir = mkdtempSync(join(tmpdir(), 'bench-restate-'))
  const server = spawn(RESTATE, ['--base-dir', dir, '--node-name', 'bench'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      DO_NOT_TRACK: '1',
    },
  })
  await started(server)
  const deadline = Date.now() + 20_000
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${admin}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    if (Date.now() > deadline || server.exitCode !== null) {
      server.kill('SIGKILL')
      throw new Error('Restate did not start.')
    }
    await new Promise((next) => setTimeout(next, 100))
  }
  return {
    url: `http://127.0.0.1:${ingress},http://127.0.0.1:${admin}`,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGKILL')
      await ended(server)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
