/** A real PostgreSQL for tests: its own data folder, a free port on the loopback, TLS with the key of tests. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { TLS_CERT, TLS_KEY } from '../support/tls-pair.ts'

const READY_MS = 30_000

const findBin = (): string => {
  const root = '/usr/lib/postgresql'
  const newest = readdirSync(root).sort().at(-1)
  if (newest === undefined)
    throw new Error('These tests need PostgreSQL: apt-get install postgresql')
  return join(root, newest, 'bin')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const idOf = (kind: '-u' | '-g'): number =>
  Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))

export type Postgres = Readonly<{ port: number; stop: () => Promise<void> }>

export const startPostgres = async (): Promise<Postgres> => {
  const bin = findBin()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  // PostgreSQL refuses to run as root
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-N'], options)
  for (const [name, text] of [
    ['key', TLS_KEY],
    ['crt', TLS_CERT],
  ] as const) {
    const path = join(data, `server.${name}`)
    writeFileSync(path, text, { mode: 0o600 })
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
  }
  const settings = ['listen_addresses=127.0.0.1', 'ssl=on', 'fsync=off', 'shared_buffers=16MB']
  const flags = settings.flatMap((setting) => ['-c', setting])
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...flags],
    options,
  )
  const ended = once(server, 'exit')
  const stop = async (): Promise<void> => {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const isReady = (): boolean => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], {
        stdio: 'ignore',
      })
      return true
    } catch {
      // it answers once it has started
      return false
    }
  }
  for (const deadline = Date.now() + READY_MS; !isReady(); ) {
    if (Date.now() > deadline) {
      await stop()
      throw new Error('PostgreSQL did not start.')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { port, stop }
}
