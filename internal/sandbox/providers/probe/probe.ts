/** Starts a guest in the way jobs start, and lets it attempt to escape. Every attempt must fail for lack of permission. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { ownAddresses } from '../../egress/own-addresses.ts'
import { encodeCode } from '../../host/code-line.ts'
import { NO_DEADLINES } from '../../host/deadlines.ts'
import { type CommandFor, type GuestProcess, startGuest } from '../../host/process.ts'
import { type NotBegun, runOnGuest } from '../../host/run.ts'
import { createUsageWatch } from '../../host/usage.ts'
import { readText } from '../../linux/process-tree.ts'
import type { SandboxOutcome, SandboxRun } from '../../sandbox.ts'
import { NO_STATE } from '../../state-access.ts'
import type { ProcessShape } from '../provider.ts'

/** Returns the attempts that were not refused. `ctx.input` holds addresses on which this process listens. */
const DENO_PROBE_CODE = `
const dial = (hostname, port) => async () => (await Deno.connect({ hostname, port })).close()
const attempts = ({ port, addresses }) => ({
  'read files': () => Deno.readTextFileSync('/etc/passwd'),
  'write files': () => Deno.writeTextFileSync('/tmp/svc-probe', ''),
  'read the environment': () => {
    if (Object.keys(Deno.env.toObject()).length === 0) throw new Deno.errors.NotCapable('It is empty.')
  },
  'start processes': () => new Deno.Command('/bin/true').outputSync(),
  'load libraries': () => Deno.dlopen('/lib/libc.so.6', {}),
  'listen': () => Deno.listen({ port: 0 }).close(),
  'reach the metadata address': dial('169.254.169.254', 80),
  'reach it in IPv6 form': dial('::ffff:169.254.169.254', 80),
  'reach private IPv6': dial('fd00::1', 80),
  ...Object.fromEntries(addresses.map((address) => ['reach ' + address, dial(address, port)])),
})
export const main = async ({ input }) => {
  const isRefusal = ({ name }) => name === 'NotCapable' || name === 'PermissionDenied'
  const names = await Promise.all(Object.entries(attempts(input)).map(async ([name, attempt]) => {
    try { await attempt(); return [name] } catch (error) { return isRefusal(error) ? [] : [name] }
  }))
  return names.flat()
}`

const TIMEOUT_MS = 10_000
const openAttempts = z.array(z.string())

export type ConfinementProbe =
  | Readonly<{ holds: true }>
  | Readonly<{ holds: false; reason: string }>

/** Opens a server that must not be reached. Resolves to its port, or 0 if none could be opened. */
const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.on('error', () => resolve(0))
    server.listen(0, '0.0.0.0', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** When this process started, in kernel ticks: it distinguishes this process from one of another namespace with the same id. */
const ownBirth = (): string =>
  readText('/proc/self/stat').replace(/^.*\)/s, '').split(' ')[20] ?? 'not Linux'

/** What the probe attempts to reach. */
type Bait = Readonly<{ folder: string; secret: string; port: number }>

const probeRun = (shape: ProcessShape, code: string, bait: Bait): SandboxRun => {
  const addresses = ['localhost', '0.0.0.0', '::', '::ffff:127.0.0.1', ...ownAddresses()]
  return {
    key: { ws: 'svc', app: 'probe', commit: 'probe' },
    job: { id: 'probe', action: 'probe', attempt: 1 },
    fresh: true,
    entrypoint: 'probe.js',
    bundleHash: 'probe',
    loadCode: async () => ({ code, sourceMap: '{}' }),
    inputJson: JSON.stringify({ ...bait, addresses, pid: process.pid, birth: ownBirth() }),
    trigger: { kind: 'api' },
    variables: {},
    resources: {},
    limits: { ...shape, timeoutMs: TIMEOUT_MS, resultBytes: 10_000, logBytes: 10_000 },
  }
}

const judge = (outcome: SandboxOutcome | NotBegun, log: string): ConfinementProbe => {
  if (outcome.kind === 'not-begun') return judge(outcome.failure, log)
  if (outcome.kind === 'aborted' || outcome.kind === 'suspended')
    return { holds: false, reason: 'The probe was stopped.' }
  if (outcome.kind === 'failure') {
    return { holds: false, reason: `It did not run. ${outcome.error.message} ${log.trim()}`.trim() }
  }
  const open = openAttempts.parse(JSON.parse(outcome.resultJson))
  if (open.length === 0) return { holds: true }
  return { holds: false, reason: `A job could ${open.join(', ')}.` }
}

const SHAPE: ProcessShape = { memoryMb: 128, network: null }

const runProbe = async (
  guest: GuestProcess,
  code: string,
  bait: Bait,
): Promise<ConfinementProbe> => {
  let log = ''
  const run = probeRun(SHAPE, code, bait)
  const outcome = await runOnGuest({
    guest,
    number: 1,
    run,
    callbacks: {
      onLog: (text) => {
        log += text
      },
      getResumeUrls: async () => null,
      cancel: async () => false,
      start: async () => '',
      state: NO_STATE,
    },
    signal: new AbortController().signal,
    usage: createUsageWatch(),
    deadlines: NO_DEADLINES,
    codeLine: await encodeCode(run, code),
    mapStackTrace: (text) => text,
  })
  guest.kill()
  await guest.ended
  return judge(outcome, log)
}

/** Creates a folder with a secret that a job must not read. @throws {Error} the temporary folder cannot be used; it names the remedy */
const makeBaitFolder = (place: string, secret: string): string => {
  try {
    const folder = mkdtempSync(join(realpathSync(place), 'svc-probe-'))
    try {
      writeFileSync(join(folder, 'secret'), secret)
      // every user of this machine may read it, so only confinement keeps the job out
      chmodSync(folder, 0o777)
      return folder
    } catch (error) {
      rmSync(folder, { recursive: true })
      throw error
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The temporary folder ${place} cannot be used (${reason}). Free some space in it, or set TMPDIR to another.`,
      { cause },
    )
  }
}

/**
 * Runs the probe in a guest, which has started by the time this returns its promise. Never rejects.
 * @param code an action that returns the names of the attempts that succeeded
 * @param place the temporary folder
 */
export const probeConfinement = async (
  commandFor: (shape: ProcessShape) => CommandFor,
  code: string = DENO_PROBE_CODE,
  place: string = tmpdir(),
): Promise<ConfinementProbe> => {
  const server = createServer((socket) => socket.destroy())
  let folder: string | undefined
  try {
    const secret = randomUUID()
    folder = makeBaitFolder(place, secret)
    const guest = startGuest(commandFor(SHAPE))
    return await runProbe(guest, code, { folder, secret, port: await listen(server) })
  } catch (error) {
    return { holds: false, reason: error instanceof Error ? error.message : String(error) }
  } finally {
    server.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
