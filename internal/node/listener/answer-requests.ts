/** What a node serves over HTTP: health and metrics in each role, and everything else on servers. */
import type { Config } from '#config/config.ts'
import type { Confine } from '#confine/confine.ts'
import { HOME_CELL } from '#core/cells.ts'
import { type NodeRole, runsServer } from '#core/node-role.ts'
import { createHttpApp } from '#http/app.ts'
import type { CellRouter, CellSurface } from '#http/cell-router.ts'
import { createRelaySockets, RELAY_SOCKET_PATH } from '#http/relay/relay-socket.ts'
import { createConsoleSurface } from '#http/surfaces/console-surface.ts'
import { createGuidesSurface } from '#http/surfaces/guides-surface.ts'
import { createLogger } from '#log/logtape.ts'
import type { Metrics } from '#metrics/registry.ts'
import { createFetchDocument } from '#outbound/fetch-document.ts'
import { createLookUpTxt } from '#outbound/look-up-txt.ts'
import { readConsoleFile, readGuideFile } from '#platform/served-files.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { countReadyInCells } from '#service/cells/count-ready.ts'
import { createCellDirectory } from '#service/cells/directory.ts'
import { cellAway } from '#service/cells/find-database.ts'
import { createCredentialLocator } from '#service/cells/locate-credential.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { type LiveWorkers, liveWorkersOfCell } from '#service/nodes/live-workers.ts'
import type { DatabaseCondition } from '#store/database-condition.ts'
import type { NodeCell, NodeCells } from '../node-cells.ts'
import { openCallParts } from '../open-functions.ts'
import { openGit } from '../open-git.ts'
import { openSignIn } from '../open-sign-in.ts'
import { type OpenSurface, openSurface, type SurfaceShared } from '../open-surface.ts'
import { ownHostsOf } from '../own-hosts.ts'
import { openPdfReader } from '../pdf-reader.ts'
import { resolveHost } from '../resolve-host.ts'
import type { Stoppable } from '../stoppable.ts'
import { VERSION } from '../version.ts'
import { httpSettings } from './http-settings.ts'
import type { Listener } from './listen.ts'

export type AnswerFacts = Readonly<{
  role: NodeRole
  listener: Listener
  sandbox: Sandbox | null
  isStopping: () => boolean
  condition: DatabaseCondition
  cells: NodeCells
  metrics: Metrics
  liveWorkers: LiveWorkers
  confine: Confine
}>

export type Answering = Stoppable & Readonly<{ serveCell: (cell: NodeCell) => void }>

const shareParts = (config: Config, deps: AllDeps, facts: AnswerFacts): SurfaceShared => {
  const { role, sandbox, isStopping, condition, cells, metrics, liveWorkers, confine } = facts
  const signIn = openSignIn(config)
  return {
    role,
    sandbox,
    settings: httpSettings(config),
    listensAt: facts.listener,
    health: {
      version: VERSION,
      role,
      isolation: sandbox?.level ?? 'none',
      isStopping,
      condition,
      cells: cells.health,
      metrics,
      metricsToken: config.metricsToken,
    },
    git: openGit(config, confine),
    client: {
      version: VERSION,
      jobRetentionDays: config.jobRetentionDays,
      maxBodyBytes: config.maxBodyBytes,
      oidc: signIn.oidc !== null,
      passwordLogin: signIn.passwordLogin,
    },
    liveWorkers:
      config.cells.length === 0 ? liveWorkers : liveWorkersOfCell(liveWorkers, HOME_CELL),
    allWorkers: liveWorkers,
    pdf: openPdfReader({}, confine),
    fetchDocument: createFetchDocument({ allow: config.fetchAllow, resolve: resolveHost }),
    ownHosts: ownHostsOf(config),
    lookUpTxt: createLookUpTxt({ servers: config.dnsServers }),
    log: createLogger('http'),
    signIn,
    ...openCallParts(config, deps),
  }
}

/** Null if the instance has one database; requests then skip the look-up of their cell. */
const openRouter = (
  config: Config,
  deps: AllDeps,
  surfaces: ReadonlyMap<string, CellSurface>,
): CellRouter | null => {
  if (config.cells.length === 0) return null
  const directory = createCellDirectory(deps.home)
  deps.hints.placeChanged.subscribe(directory.forget)
  const locator = createCredentialLocator(deps)
  const ofWorkspace = async (ws: string): Promise<CellSurface | null> => {
    const cell = await directory.cellOf(ws)
    if (cell === HOME_CELL) return null
    const surface = surfaces.get(cell)
    if (surface === undefined) throw cellAway(cell)
    return surface
  }
  return {
    ofWorkspace,
    ofCredential: async (text) => {
      const ws = await locator.workspaceOf(text)
      return ws === null ? null : ofWorkspace(ws)
    },
  }
}

/** Takes the listener over from the handler that answers until the database is reachable. */
export const answerRequests = (config: Config, deps: AllDeps, facts: AnswerFacts): Answering => {
  const { role, listener, metrics } = facts
  const shared = shareParts(config, deps, facts)
  const home = openSurface(config, deps, shared)
  const further = new Map<string, OpenSurface>()
  const cells = openRouter(config, deps, further)
  const { settings, log } = shared
  const app = createHttpApp(
    {
      ...deps,
      ...settings,
      log,
      onEnded: metrics.requestEnded,
      functions: home.functions,
      gitPush: home.gitPush,
      cells,
      files: runsServer(role)
        ? [createConsoleSurface(readConsoleFile), createGuidesSurface(readGuideFile)]
        : [],
    },
    [...home.routes.values()].filter(({ tag }) => runsServer(role) || tag === 'Node'),
  )
  metrics.watchQueue(() => countReadyInCells(deps))
  if (config.cells.length > 0) metrics.watchCells(facts.cells.health)
  listener.answerWith((request, bindings) => app.fetch(request, bindings))
  const sockets = createRelaySockets({ ...deps, ...settings, log, cells })
  if (runsServer(role)) listener.upgradeWith(RELAY_SOCKET_PATH, sockets.accept)
  return {
    serveCell: ({ name, config: own, deps: of }) => {
      if (!runsServer(role)) return
      const liveWorkers = liveWorkersOfCell(facts.liveWorkers, name)
      further.set(name, openSurface(own, of, { ...shared, liveWorkers }))
    },
    stop: async () => {
      sockets.close()
      await listener.stop()
      for (const surface of [home, ...further.values()]) await surface.close()
      shared.pdf.close()
    },
  }
}
