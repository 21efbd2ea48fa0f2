/** The actions and flows of a workspace that its apps expose to agents [agents 1, 2]. */
import type { ActionDefinition } from '#core/action/definition.ts'
import { isApprovalFlow } from '#core/agent/approval-flow.ts'
import { parseToolName, toToolName } from '#core/agent/tool-name.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { JsonValue } from '#core/json/value.ts'
import { type App, findApp, listApps } from '#store/apps/apps.ts'
import { findConsumer } from '#store/credentials/consumers.ts'
import type { Deps } from '../deps.ts'
import type { WithFlows } from '../flows/engine.ts'

export type ExposedTool = Readonly<{
  name: string
  kind: 'action' | 'flow'
  app: string
  key: string
  description: string
  inputSchema: JsonValue
  /** Whether a person must approve each call. */
  needsApproval: boolean
}>

type ToolDeps = Pick<Deps, 'db'> & WithFlows

/** Selects the tools of a workspace: all of them if `customerId` is null, else those granted to that customer. */
export type ToolReader = Readonly<{ ws: string; customerId: string | null }>

const ofAction = (app: string, { key, expose, inputSchema }: ActionDefinition): ExposedTool => ({
  name: toToolName({ app, key }),
  kind: 'action',
  app,
  key,
  description: expose?.description ?? `Runs the action ${app}/${key}.`,
  inputSchema,
  needsApproval: expose?.approval === true,
})

const ofFlow = (app: string, { key, expose, inputSchema }: FlowDefinition): ExposedTool => ({
  name: toToolName({ app, key }),
  kind: 'flow',
  app,
  key,
  description: expose?.description ?? `Starts the flow ${app}/${key}.`,
  inputSchema: inputSchema ?? null,
  needsApproval: false,
})

const toolsOf = async (
  { flows: { pinned } }: ToolDeps,
  { key: app, deploymentId }: App,
): Promise<readonly ExposedTool[]> => {
  if (deploymentId === null) return []
  const { actions, flows } = await pinned.find(deploymentId)
  const isOpen = ({ expose }: ActionDefinition | FlowDefinition): boolean => expose?.mcp === true
  return [
    ...[...actions.values()].filter(isOpen).map((action) => ofAction(app, action)),
    ...[...flows.values()]
      .filter((flow) => isOpen(flow) && !isApprovalFlow(flow.key))
      .map((flow) => ofFlow(app, flow)),
  ]
}

type MaySee = (tool: ExposedTool) => boolean

/** A customer cannot start flows, and a tool that needs approval is a flow. */
const visibleTo = async ({ db }: ToolDeps, { ws, customerId }: ToolReader): Promise<MaySee> => {
  if (customerId === null) return () => true
  const grants = (await findConsumer(db, ws, customerId))?.grants ?? []
  const granted = new Set(grants.map(({ app, action }) => `${app}/${action}`))
  return ({ kind, app, key, needsApproval }) =>
    kind === 'action' && !needsApproval && granted.has(`${app}/${key}`)
}

const APPS_AT_ONCE = 100
/** A page ends after the app that exceeds this number. */
const TOOLS_PER_PAGE = 500

export type ToolPage = Readonly<{
  tools: readonly ExposedTool[]
  /** The last app of the page; null if there is no further page. */
  nextAfter: string | null
}>

/** Lists tools by app. @param afterApp the app where the last page ended; empty for the first page */
export const listExposedTools = async (
  deps: ToolDeps,
  reader: ToolReader,
  afterApp: string,
): Promise<ToolPage> => {
  const maySee = await visibleTo(deps, reader)
  const tools: ExposedTool[] = []
  for (let afterKey = afterApp; ; ) {
    const apps = await listApps(deps.db, reader.ws, { afterKey, limit: APPS_AT_ONCE })
    for (const app of apps) {
      tools.push(...(await toolsOf(deps, app)).filter(maySee))
      afterKey = app.key
      if (tools.length >= TOOLS_PER_PAGE) return { tools, nextAfter: afterKey }
    }
    if (apps.length < APPS_AT_ONCE) return { tools, nextAfter: null }
  }
}

/** Finds a tool by its name. @returns null if the reader may see no such tool */
export const findExposedTool = async (
  deps: ToolDeps,
  reader: ToolReader,
  name: string,
): Promise<ExposedTool | null> => {
  const target = parseToolName(name)
  const app = target === null ? null : await findApp(deps.db, reader.ws, target.app)
  if (app === null) return null
  const tool = (await toolsOf(deps, app)).find((each) => each.name === name)
  return tool !== undefined && (await visibleTo(deps, reader))(tool) ? tool : null
}
