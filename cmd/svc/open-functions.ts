/** Functions over HTTP, as a server of these settings serves them. */
import { availableParallelism } from 'node:os'
import type { Config } from '#config/config.ts'
import { createFunctionSurface, type FunctionSurface } from '#http/function-surface.ts'
import { createLogger } from '#log/logtape.ts'
import type { Sandbox } from '#sandbox/provider.ts'
import type { Deps } from '#service/deps.ts'
import { createFunctionCaller } from '#service/functions/call-function.ts'
import { createCallGate } from '#service/functions/call-gate.ts'
import { createCallLog } from '#service/functions/call-log.ts'
import { createHostResolver } from '#service/functions/resolve-host.ts'
import { openBundleCache } from './start-worker.ts'

/** Uploads are larger than what the API takes. */
const BODY_BYTES = 10 * 1_024 * 1_024
const SLOW_CALLS_PER_CORE = 8
const PATIENCE_MS = 50
const MOST_WAITING = 1_000

export type OpenFunctions = Readonly<{ surface: FunctionSurface; close: () => Promise<void> }>

export const openFunctions = (
  config: Config,
  { sandbox, ...deps }: Deps & Readonly<{ sandbox: Sandbox | null }>,
): OpenFunctions | null => {
  if (sandbox === null) return null
  const log = createLogger('functions')
  const calls = createCallLog(deps, log)
  const functions = createFunctionCaller({
    ...deps,
    sandbox,
    log,
    calls,
    gate: createCallGate({
      atOnce: availableParallelism() * 2,
      most: availableParallelism() * SLOW_CALLS_PER_CORE,
      patienceMs: PATIENCE_MS,
      waiting: MOST_WAITING,
    }),
    bundleCache: openBundleCache(config, deps),
  })
  const hosts = createHostResolver(deps, { appsDomain: config.appsDomain, now: deps.now })
  const maxBodyBytes = Math.max(config.maxBodyBytes, BODY_BYTES)
  return {
    surface: createFunctionSurface({ hosts, functions, maxBodyBytes }),
    close: () => calls.close(),
  }
}
