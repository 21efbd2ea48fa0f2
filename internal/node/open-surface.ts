/** Opens the HTTP surface of one cell: its routes, its functions, its git pushes. */
import type { Config } from '#config/config.ts'
import { type NodeRole, runsServer } from '#core/node-role.ts'
import type { CellSurface } from '#http/cell-router.ts'
import type { Logger } from '#log/logger.ts'
import { createLogger } from '#log/logtape.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import type { CallGate } from '#service/functions/call-gate.ts'
import type { HostResolver } from '#service/functions/resolve-host.ts'
import { createDeliveryLog } from '#service/webhooks/delivery-log.ts'
import type { httpSettings } from './listener/http-settings.ts'
import { openFunctions } from './open-functions.ts'
import { type ListensAt, openGitPush } from './open-git-push.ts'
import { allRoutes, type RouteDeps } from './routes.ts'

/** The parts that all cells of a process share. */
export type SurfaceShared = Omit<RouteDeps, keyof AllDeps | 'deliveries' | 'log'> &
  Readonly<{
    log: Logger
    role: NodeRole
    sandbox: Sandbox | null
    settings: ReturnType<typeof httpSettings>
    listensAt: ListensAt
    hosts: HostResolver
    callGate: CallGate
  }>

export type OpenSurface = CellSurface & Readonly<{ close: () => Promise<void> }>

/** Opens the surface of the cell that `deps` belongs to. */
export const openSurface = (
  config: Config,
  deps: AllDeps,
  { role, sandbox, settings, listensAt, hosts, callGate, ...shared }: SurfaceShared,
): OpenSurface => {
  const { log } = shared
  const deliveries = createDeliveryLog(deps, createLogger('webhooks'))
  const functions = runsServer(role)
    ? openFunctions(config, { ...deps, sandbox, hosts, callGate })
    : null
  const routes = allRoutes({ ...deps, ...shared, deliveries })
  return {
    db: deps.db,
    routes: new Map(routes.map((route) => [route.operationId, route])),
    functions: functions?.surface ?? null,
    gitPush: runsServer(role)
      ? openGitPush(config, listensAt, { ...deps, ...settings, log })
      : null,
    close: async () => {
      await functions?.close()
      await deliveries.close()
    },
  }
}
