/** The targets of hostile jobs: files, an environment, a process, servers. Each detects when it was touched. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { portOf } from '../support/port-of.ts'

/** The facts that a probe gets, as `w`. */
export type Bait = Readonly<Record<string, string | number | readonly string[]>>

export interface Canaries {
  readonly bait: Bait
  readonly secret: string
  /** What was touched since the last call. */
  touched(): Promise<readonly string[]>
  close(): void
}

const answerFor = (secret: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${secret.length}\r\nConnection: close\r\n\r\n${secret}`

/**
 * A free port below those that the kernel assigns (from 32768), because an assigned port may meanwhile go to another
 * process, or to the connection that looks for a listener.
 */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Whether something listens at the port. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

const writeFiles = (folder: string, secret: string) => {
  const at = (name: string): string => join(folder, name)
  const write = (): void => {
    writeFileSync(at('secret.txt'), secret)
    writeFileSync(at('secret.json'), JSON.stringify({ secret }))
    writeFileSync(at('.env'), `SVC_CANARY=${secret}\n`)
    writeFileSync(at('removable'), 'x')
    for (const name of ['secret.txt', 'secret.json', '.env', 'removable'])
      chmodSync(at(name), 0o666)
  }
  write()
  const database = new DatabaseSync(at('svc.db'))
  database.exec('CREATE TABLE s (t TEXT)')
  database.prepare('INSERT INTO s VALUES (?)').run(secret)
  database.close()
  // every user of the machine may do everything with them, so only confinement keeps a job away
  chmodSync(at('svc.db'), 0o666)
  chmodSync(folder, 0o777)
  return { at, write }
}

/** A process that has the secret among its arguments. */
const startVictim = async (secret: string): Promise<ChildProcess> => {
  const script = `: ${secret}; while :; do sleep 60; done`
  const victim = spawn('/bin/sh', ['-c', script], {
    stdio: 'ignore',
    detached: true,
    env: { SVC_CANARY: secret },
  })
  await once(victim, 'spawn')
  return victim
}

const end = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // a probe has ended it
  }
}

/** @param guest the program that jobs run in */
export const openCanaries = async (guest: string): Promise<Canaries> => {
  const secret = `canary-${randomUUID()}`
  const folder = mkdtempSync(join(tmpdir(), 'svc-escape-'))
  const { at, write } = writeFiles(folder, secret)
  const marks = new Set<string>()
  const listenTo = (what: string): Server =>
    createServer((socket) => {
      marks.add(what)
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(answerFor(secret)))
    })
  const tcp = listenTo('tcp').listen(0, '::')
  const unix = listenTo('unix').listen(at('svc.sock'))
  const udp = createSocket('udp4').on('message', () => marks.add('udp'))
  udp.bind(0)
  await Promise.all([tcp, unix, udp].map((server) => once(server, 'listening')))
  chmodSync(at('svc.sock'), 0o666)
  let victim = await startVictim(secret)
  const guestBefore = readFileSync(guest, 'utf8')
  const ports = { listenPort: await freePort(), inspectorPort: await freePort() }
  process.env.SVC_SECRET_KEY = secret

  const look = async (): Promise<void> => {
    if (existsSync(at('touched'))) marks.add('file written')
    if (!existsSync(at('removable'))) marks.add('file removed')
    if (readFileSync(at('secret.txt'), 'utf8') !== secret) marks.add('file changed')
    if (readFileSync(guest, 'utf8') !== guestBefore) marks.add('program changed')
    if (victim.exitCode !== null || victim.signalCode !== null) marks.add('process ended')
  }
  const mend = async (): Promise<void> => {
    rmSync(at('touched'), { force: true })
    write()
    if (readFileSync(guest, 'utf8') !== guestBefore) writeFileSync(guest, guestBefore)
    if (victim.exitCode !== null || victim.signalCode !== null) victim = await startVictim(secret)
  }
  return {
    secret,
    bait: {
      ...ports,
      secret,
      folder,
      guest,
      file: at('secret.txt'),
      json: at('secret.json'),
      envFile: at('.env'),
      removable: at('removable'),
      database: at('svc.db'),
      unix: at('svc.sock'),
      port: portOf(tcp),
      udpPort: udp.address().port,
      pid: process.pid,
      get victim() {
        return victim.pid ?? 0
      },
      own: Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .map(({ address }) => address.replace(/%.*/, '')),
    },
    touched: async () => {
      await look()
      for (const [name, port] of Object.entries(ports)) if (await answers(port)) marks.add(name)
      const all = [...marks]
      marks.clear()
      if (all.length > 0) await mend()
      return all
    },
    close: () => {
      delete process.env.SVC_SECRET_KEY
      end(victim)
      tcp.close()
      unix.close()
      udp.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
