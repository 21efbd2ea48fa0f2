/**
 * Opens the sandbox of a node. It imports little: a node starts with it, so that the process that proves the
 * confinement starts while the rest of the program loads.
 */
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { respellDeno } from '#confine/respell-deno.ts'
import { opensNothing } from '#core/network/egress-grant.ts'
import { type NodeRole, runsServer, runsWorker } from '#core/node-role.ts'
import { createLogger } from '#log/logtape.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { findDeno } from '#platform/deno.ts'
import { NODE_GUEST_ARGS } from '#platform/node-guest.ts'
import { createSandboxPool } from '#sandbox/host/pool.ts'
import { type ProviderChoice, selectProvider } from '#sandbox/providers/select-provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { startDeadlineThread } from './deadline-thread.ts'
import { reservedOf } from './reserved.ts'

/** The guest program must be readable by the user that jobs run as, and the data directory is not. */
export const sandboxChoice = (config: Config): ProviderChoice => ({
  wanted: config.sandbox,
  minLevel: config.sandboxMinLevel,
  command: config.sandboxCommand,
  runtimeDir: join(openCacheFolder(), 'guest'),
  findDeno: async () => respellDeno(config.denoPath ?? findDeno()),
  nodeGuestArgs: NODE_GUEST_ARGS,
  reserved: reservedOf(config),
})

/** Processes of a burst stay for a while, because starting them again is the largest cost of a job. */
const MIN_IDLE = 16

type Opening = Readonly<{
  /** When processes for the first jobs may start. @default at once */
  warmAfter?: Promise<void>
  /** Called when the process that proves the confinement has started. */
  onProving?: () => void
}>

/** @throws {AppError} no provider reaches SVC_SANDBOX_MIN_LEVEL */
export const openSandbox = async (
  config: Config,
  { warmAfter, onProving }: Opening = {},
): Promise<Sandbox> => {
  const log = createLogger('sandbox')
  const choice = sandboxChoice(config)
  const { provider, probe } = await selectProvider({
    ...choice,
    ...(onProving === undefined ? {} : { onProving }),
  })
  for (const note of probe.notes) log.warn(note)
  for (const grant of config.egressAllow.filter(opensNothing)) {
    log.warn('A grant of SVC_EGRESS_ALLOW opens nothing: svc never opens such addresses.', {
      grant,
    })
  }
  return createSandboxPool(provider, {
    warm: Math.min(config.concurrency, 4),
    defaultShape: { memoryMb: config.jobMemoryMb, network: null },
    maxIdle: Math.max(config.concurrency * 2, MIN_IDLE),
    reuse: config.sandboxReuse === 'on',
    deadlines: startDeadlineThread(),
    ...(warmAfter === undefined ? {} : { warmAfter }),
  })
}

/** A sandbox that opens while the rest of the program loads. */
export type OpeningSandbox = Readonly<{
  /** Null if the role runs neither jobs nor functions. */
  opened: Promise<Sandbox | null>
  /** Lets processes for the first jobs start. Earlier they would take processor time from the start of the node. */
  warm: () => void
}>

/** Resolves when the process that proves the confinement has started, or could not start. */
export const beginSandbox = async (config: Config, role: NodeRole): Promise<OpeningSandbox> => {
  // jobs run on workers, functions on servers
  if (!runsWorker(role) && !runsServer(role)) {
    return { opened: Promise.resolve(null), warm: () => undefined }
  }
  const warm = Promise.withResolvers<void>()
  const proving = Promise.withResolvers<void>()
  const opened = openSandbox(config, { warmAfter: warm.promise, onProving: proving.resolve })
  // the caller that waits for the sandbox reports the error
  opened.catch(() => proving.resolve())
  await proving.promise
  return { opened, warm: warm.resolve }
}
