/** Finds the flows that are deployed now. */
import { isApprovalFlow, shownFlowKey } from '#core/agent/approval-flow.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { JsonValue } from '#core/json/value.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { flowNotFound } from '#core/target-not-found.ts'
import { type App, findApp, listApps } from '#store/apps/apps.ts'
import { requireApp } from '../apps/require-app.ts'
import type { Deps } from '../deps.ts'
import { requireFittingInput } from '../find-input-faults.ts'
import type { WithFlows } from './engine.ts'
import type { PinnedApp } from './pinned-flows.ts'

type FindDeps = Pick<Deps, 'db'> & WithFlows

export type CurrentFlow = Readonly<{
  app: string
  commit: string
  deploymentId: string
  definition: FlowDefinition
}>

export type FlowTarget = Readonly<{ ws: string; app: string; flow: string }>

/** @throws {AppError} not_found: app or flow */
export const findFlow = async (
  deps: FindDeps,
  { ws, app: key, flow }: FlowTarget,
): Promise<CurrentFlow & Readonly<{ pinned: PinnedApp }>> => {
  const app = await requireApp(deps, ws, key)
  if (app.deploymentId === null || app.commit === null) throw flowNotFound({ app: key, flow })
  const deployed = await deps.flows.pinned.find(app.deploymentId)
  const definition = deployed.flows.get(flow)
  if (definition === undefined) throw flowNotFound({ app: key, flow })
  const { deploymentId, commit } = app
  return { app: key, commit, deploymentId, definition, pinned: deployed }
}

/** Checks an input against the flow's `inputSchema` [flows 1.6]. @throws {AppError} invalid `input_schema`; unavailable */
export const checkFlowInput = async (
  deps: Pick<Deps, 'manifests'>,
  { ws, app, flow, input }: FlowTarget & Readonly<{ input: JsonValue }>,
  { inputChecks }: PinnedApp,
): Promise<void> => {
  const check = inputChecks.get(flow) ?? null
  await requireFittingInput(deps, check, { ws, app, target: shownFlowKey(flow), input })
}

const APPS_AT_ONCE = 100
/** Replaces an app that only newer nodes can read, so that it does not hide the others. */
const UNREADABLE: Pick<PinnedApp, 'flows'> = { flows: new Map() }

export type FlowPage = Readonly<{
  /** Only flows of this app; null for all apps. */
  app: string | null
  /** `app/flow` of the last flow of the page before. */
  after: string | null
  limit: number
}>

/** Lists flows by app and key. */
export const listFlows = async (
  { db, flows: { pinned } }: FindDeps,
  ws: string,
  { app: only, after, limit }: FlowPage,
): Promise<readonly CurrentFlow[]> => {
  const [lastApp = '', lastFlow = ''] = after?.split('/') ?? []
  const found: CurrentFlow[] = []
  const take = async (app: App): Promise<void> => {
    const { key, deploymentId, commit } = app
    if (deploymentId === null || commit === null) return
    const { flows } = await unlessNewer(() => pinned.find(deploymentId), UNREADABLE)
    const listed = [...flows.values()].filter((flow) => !isApprovalFlow(flow.key))
    for (const definition of listed.toSorted(byKey)) {
      if (key !== lastApp || definition.key > lastFlow) {
        found.push({ app: key, commit, deploymentId, definition })
      }
    }
  }
  const firstKey = only ?? lastApp
  const first = firstKey === '' ? null : await findApp(db, ws, firstKey)
  if (first !== null) await take(first)
  for (let after = lastApp; only === null && found.length < limit; ) {
    const apps = await listApps(db, ws, { after, limit: APPS_AT_ONCE })
    for (const app of apps) await take(app)
    const last = apps.at(-1)
    if (last === undefined) break
    after = last.key
  }
  return found.slice(0, limit)
}

const byKey = (a: FlowDefinition, b: FlowDefinition): number =>
  a.key < b.key ? -1 : Number(a.key > b.key)
