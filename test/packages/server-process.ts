/** A database server for tests, with its own data folder, a free port on the loopback interface, and a way to stop it. */
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { TLS_CERT, TLS_KEY } from '../support/tls-pair.ts'

const READY_MS = 30_000

export type Server = Readonly<{ port: number; stop: () => Promise<void> }>

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

export type User = Readonly<{ uid?: number; gid?: number }>

/** Database servers refuse to run as root. @returns an empty object if these tests do not run as root */
export const userOf = (name: string): User => {
  if (process.getuid?.() !== 0) return {}
  const idOf = (kind: '-u' | '-g'): number =>
    Number(execFileSync('id', [kind, name], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Gives a path to the user of a server. */
export const giveTo = (path: string, { uid, gid }: User): void => {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

export type ServerPlace = Readonly<{ folder: string; cert: string; key: string }>

/** Creates a folder for the server, with the certificate for tests. */
export const makePlace = (name: string, user: User): ServerPlace => {
  const folder = makeMemoryFolder(`svc-${name}-`)
  giveTo(folder, user)
  const place = { folder, cert: join(folder, 'server.crt'), key: join(folder, 'server.key') }
  writeFileSync(place.cert, TLS_CERT, { mode: 0o600 })
  writeFileSync(place.key, TLS_KEY, { mode: 0o600 })
  giveTo(place.cert, user)
  giveTo(place.key, user)
  return place
}

/** Resolves with whether something accepts connections on the port. */
export const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

type Start = Readonly<{
  command: string
  args: readonly string[]
  port: number
  folder: string
  user: User
  isReady: () => Promise<boolean>
}>

/** @throws {Error} the server did not start */
export const startServer = async (start: Start): Promise<Server> => {
  const { command, args, port, folder, user, isReady } = start
  const options: SpawnOptions = { ...user, cwd: folder, stdio: 'ignore' }
  const server = spawn(command, args, options)
  const ended = once(server, 'exit')
  const stop = async (): Promise<void> => {
    server.kill('SIGINT')
    // mariadbd ignores SIGINT
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (const deadline = Date.now() + READY_MS; !(await isReady()); ) {
    if (Date.now() > deadline || server.exitCode !== null) {
      await stop()
      throw new Error(`${command} did not start.`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { port, stop }
}
