/** Starts a guest as jobs will be started and has it try to get out; every try must fail by a refused permission. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { ownAddresses } from '../../egress/own-addresses.ts'
import { NO_DEADLINES } from '../../host/deadlines.ts'
import { type CommandFor, startGuest } from '../../host/process.ts'
import { type NotBegun, runOnGuest } from '../../host/run.ts'
import { createUsageWatch } from '../../host/usage.ts'
import { readText } from '../../linux/process-tree.ts'
import type { SandboxOutcome, SandboxRun } from '../../sandbox.ts'
import { NO_STATE } from '../../state-access.ts'
import type { ProcessShape } from '../provider.ts'

/** Answers what did not end in a refusal. `ctx.input` holds addresses where this process listens. */
const CANARY_CODE = `
const dial = (hostname, port) => async () => (await Deno.connect({ hostname, port })).close()
const attempts = ({ port, addresses }) => ({
  'read files': () => Deno.readTextFileSync('/etc/passwd'),
  'write files': () => Deno.writeTextFileSync('/tmp/svc-canary', ''),
  'read the environment': () => Deno.env.toObject(),
  'start processes': () => new Deno.Command('/bin/true').outputSync(),
  'load libraries': () => Deno.dlopen('/lib/libc.so.6', {}),
  'listen': () => Deno.listen({ port: 0 }).close(),
  'reach the metadata address': dial('169.254.169.254', 80),
  'reach it in IPv6 form': dial('::ffff:169.254.169.254', 80),
  'reach private IPv6': dial('fd00::1', 80),
  ...Object.fromEntries(addresses.map((address) => ['reach ' + address, dial(address, port)])),
})
export const main = async ({ input }) => {
  const open = []
  for (const [name, attempt] of Object.entries(attempts(input))) {
    try { await attempt(); open.push(name) } catch (error) {
      if (error.name !== 'NotCapable' && error.name !== 'PermissionDenied') open.push(name)
    }
  }
  return open
}`

const TIMEOUT_MS = 10_000
const openWalls = z.array(z.string())

export type WallsResult = Readonly<{ holds: true }> | Readonly<{ holds: false; reason: string }>

/** A server that must not be reached; its port, 0 when none could be opened. */
const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.on('error', () => resolve(0))
    server.listen(0, '0.0.0.0', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** When this process began, in the kernel's ticks: a process of another namespace may have the same number. */
const ownBirth = (): string =>
  readText('/proc/self/stat').replace(/^.*\)/s, '').split(' ')[20] ?? 'not Linux'

/** What a job is to try to get at. */
type Bait = Readonly<{ folder: string; secret: string; port: number }>

const canaryRun = (shape: ProcessShape, code: string, bait: Bait): SandboxRun => {
  const addresses = ['localhost', '0.0.0.0', '::', '::ffff:127.0.0.1', ...ownAddresses()]
  return {
    key: { ws: 'svc', app: 'canary', commit: 'canary' },
    job: { id: 'canary', action: 'canary', attempt: 1 },
    fresh: true,
    entrypoint: 'canary.js',
    bundleHash: 'canary',
    loadCode: async () => ({ code, sourceMap: '{}' }),
    inputJson: JSON.stringify({ ...bait, addresses, pid: process.pid, birth: ownBirth() }),
    trigger: { kind: 'api' },
    variables: {},
    resources: {},
    limits: { ...shape, timeoutMs: TIMEOUT_MS, resultBytes: 10_000, logBytes: 10_000 },
  }
}

const judge = (outcome: SandboxOutcome | NotBegun, log: string): WallsResult => {
  if (outcome.kind === 'not-begun') return judge(outcome.failure, log)
  if (outcome.kind === 'aborted') return { holds: false, reason: 'The trial was stopped.' }
  if (outcome.kind === 'failure') {
    return { holds: false, reason: `It did not run. ${outcome.error.message} ${log.trim()}`.trim() }
  }
  const open = openWalls.parse(JSON.parse(outcome.resultJson))
  if (open.length === 0) return { holds: true }
  return { holds: false, reason: `A job could ${open.join(', ')}.` }
}

const runCanary = async (
  commandFor: (shape: ProcessShape) => CommandFor,
  code: string,
  bait: Bait,
): Promise<WallsResult> => {
  const shape: ProcessShape = { memoryMb: 128, network: null }
  const guest = startGuest(commandFor(shape))
  let log = ''
  const outcome = await runOnGuest({
    guest,
    number: 1,
    run: canaryRun(shape, code, bait),
    callbacks: {
      onLog: (text) => {
        log += text
      },
      getResumeUrls: async () => null,
      state: NO_STATE,
    },
    signal: new AbortController().signal,
    usage: createUsageWatch(),
    deadlines: NO_DEADLINES,
    code,
    mapStackTrace: (text) => text,
  })
  guest.kill()
  await guest.ended
  return judge(outcome, log)
}

/**
 * Never rejects.
 * @param code what is tried; it answers what it could do
 */
export const tryWalls = async (
  commandFor: (shape: ProcessShape) => CommandFor,
  code: string = CANARY_CODE,
): Promise<WallsResult> => {
  const server = createServer((socket) => socket.destroy())
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'svc-canary-'))
  try {
    const secret = randomUUID()
    writeFileSync(join(folder, 'secret'), secret)
    // every user of this machine may get at it: only walls keep a job from it
    chmodSync(folder, 0o777)
    return await runCanary(commandFor, code, { folder, secret, port: await listen(server) })
  } catch (error) {
    return { holds: false, reason: error instanceof Error ? error.message : String(error) }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
