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
const TOOLS_PER_PAGE = 500
/** To write 10 MB of schemas takes 300 ms, in which nothing else runs. */
const PAGE_CHARACTERS = 524_288

const byName = (a: ExposedTool, b: ExposedTool): number => (a.name < b.name ? -1 : 1)

/** Yields the tools by app and name. @param after the name of the tool before the first one; empty to begin with the first */
async function* toolsBehind(deps: ToolDeps, { ws, customerId }: ToolReader, after: string) {
  const maySee = await visibleTo(deps, { ws, customerId })
  const inOrder = async (app: App) => (await toolsOf(deps, app)).filter(maySee).toSorted(byName)
  let afterKey = parseToolName(after)?.app ?? ''
  const begun = await findApp(deps.db, ws, afterKey)
  if (begun !== null) yield* (await inOrder(begun)).filter(({ name }) => name > after)
  for (;;) {
    const apps = await listApps(deps.db, ws, { after: afterKey, limit: APPS_AT_ONCE })
    for (const app of apps) {
      yield* await inOrder(app)
      afterKey = app.key
    }
    if (apps.length < APPS_AT_ONCE) return
  }
}

export type ToolPage = Readonly<{
  tools: readonly ExposedTool[]
  /** The name of the last tool of the page; null if there is no further page. */
  nextAfter: string | null
}>

/**
 * Lists tools by app and name. A page has at least one, however large its schema is.
 * @param after the name of the last tool of the page before; empty for the first page
 */
export const listExposedTools = async (
  deps: ToolDeps,
  reader: ToolReader,
  after: string,
): Promise<ToolPage> => {
  const tools: ExposedTool[] = []
  let characters = 0
  for await (const tool of toolsBehind(deps, reader, after)) {
    characters += JSON.stringify(tool).length
    const last = tools.at(-1)
    const isFull = tools.length === TOOLS_PER_PAGE || characters > PAGE_CHARACTERS
    if (isFull && last !== undefined) return { tools, nextAfter: last.name }
    tools.push(tool)
  }
  return { tools, nextAfter: null }
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
