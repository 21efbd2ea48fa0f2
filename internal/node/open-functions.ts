/** Opens functions over HTTP from the settings of a server. */
import { availableParallelism } from 'node:os'
import type { Config } from '#config/config.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { createRateLimiter } from '#http/admission/rate-limit.ts'
import { createFunctionSurface, type FunctionSurface } from '#http/surfaces/function-surface.ts'
import type { Logger } from '#log/logger.ts'
import { createLogger } from '#log/logtape.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { Deps } from '#service/deps.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { createFunctionCaller } from '#service/functions/call-function.ts'
import { type CallGate, createCallGate, type GateLimits } from '#service/functions/call-gate.ts'
import { createCallLog } from '#service/functions/call-log.ts'
import { createHostResolver, type HostResolver } from '#service/functions/resolve-host.ts'
import { countUnprovenHosts } from '#store/apps/hosts.ts'
import { openBundleCache } from './open-bundle-cache.ts'
import { ownHostsOf } from './own-hosts.ts'

/** Bytes. Uploads to functions are larger than requests of the API. */
const BODY_BYTES = 10 * 1_024 * 1_024

/** The limits for short calls; long calls have separate limits, and each workspace and client gets a share of both. */
export const gateLimits = (cores: number): GateLimits => ({
  atOnce: cores * 2,
  most: cores * 16,
  reserve: cores * 4,
  patienceMs: 50,
  waiting: 1_000,
  waitingOfWorkspace: 300,
  waitingOfClient: 500,
  waitingOfBoth: 225,
  maxWaitMs: 30_000,
})

export type OpenFunctions = Readonly<{ surface: FunctionSurface; close: () => Promise<void> }>

export type FunctionDeps = AllDeps &
  Readonly<{ sandbox: Sandbox | null; hosts: HostResolver; callGate: CallGate }>

/** The parts that all calls of a process share, in whichever cell their functions are. */
export const openCallParts = (
  config: Config,
  deps: Pick<Deps, 'home' | 'furtherCells' | 'now'>,
): Readonly<{ hosts: HostResolver; callGate: CallGate }> => ({
  hosts: createHostResolver(deps, { ownHosts: ownHostsOf(config), now: deps.now }),
  callGate: createCallGate(gateLimits(availableParallelism())),
})

/** Opens the serving of functions. @returns null without a sandbox */
export const openFunctions = (
  config: Config,
  { sandbox, hosts, callGate, ...deps }: FunctionDeps,
): OpenFunctions | null => {
  if (sandbox === null) return null
  const log = createLogger('functions')
  const calls = createCallLog(deps, log)
  const functions = createFunctionCaller({
    ...deps,
    sandbox,
    log,
    calls,
    callGate,
    bundleCache: openBundleCache(config, deps),
  })
  const rate = createRateLimiter(
    { run: 0, other: 0, anonymous: config.rateFunctionPerS, hook: 0 },
    () => performance.now(),
  )
  void warnOfUnprovenHosts(deps, log)
  const maxBodyBytes = Math.max(config.maxBodyBytes, BODY_BYTES)
  return {
    surface: createFunctionSurface({
      hosts,
      functions,
      maxBodyBytes,
      countCall: (address, onTaken) => rate('anonymous', callerNetworkOf(address), onTaken),
      baseUrl: config.baseUrl ?? null,
    }),
    close: () => calls.close(),
  }
}

/** Warns of host names from versions that required no proof. They still lead to their apps, so the operator should check them. */
const warnOfUnprovenHosts = async ({ db }: Pick<Deps, 'db'>, log: Logger): Promise<void> => {
  try {
    const hosts = await countUnprovenHosts(db)
    if (hosts === 0) return
    log.warn(
      'Host names from before an upgrade lead to apps without a proof. Verify each on the page of its app (docs/functions.md).',
      { hosts },
    )
  } catch (error) {
    log.warn('The host names without a proof could not be counted.', { error })
  }
}
