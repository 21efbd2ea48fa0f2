/**
 * GET, PATCH /api/w/{ws}/workspace
 * GET        /api/w/{ws}/workspace/usage
 * GET, POST  /api/admin/workspaces
 * PATCH      /api/admin/workspaces/{id}
 */
import { WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { administerWorkspace, type WorkspaceRules } from '#service/administer-workspace.ts'
import { changeWorkspace, requireWorkspace } from '#service/change-workspace.ts'
import { createWorkspace } from '#service/create-workspace.ts'
import type { Deps } from '#service/deps.ts'
import { listWorkspaces, type Workspace } from '#store/workspaces.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const name = z.string().min(1).max(200)
const jobTag = z.string().regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, . - or _')
const actionKey = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}\/[\w-]{1,64}$/, 'must read app/action')

const workspace = z
  .object({
    id: z.string(),
    name: z.string(),
    default_tag: z.string().describe('of jobs whose action names none'),
    error_handler: z.string().nullable().describe('app/action'),
    suspended: z.boolean().describe('paid calls are refused'),
    max_running: z
      .int()
      .nullable()
      .describe(
        'jobs that may run at once; 0: any number, null: as SVC_WORKSPACE_MAX_RUNNING says',
      ),
    allowed_tags: z.array(z.string()).nullable().describe('tags that its jobs may have; null: any'),
    created_at: z.iso.datetime(),
  })
  .openapi('Workspace')

const toWireWorkspace = (row: Workspace) => ({
  id: row.id,
  name: row.name,
  default_tag: row.defaultTag,
  error_handler: row.errorHandler,
  suspended: row.suspendedAt !== null,
  max_running: row.maxRunning,
  allowed_tags: row.allowedTags,
  created_at: toTimestamp(row.createdAt),
})

const usage = z
  .object({
    stored_bytes: z.int().describe('inputs, results, logs, flow data, state and function logs'),
    max_stored_bytes: z.int().nullable().describe('new work is refused beyond; null: no limit'),
    measured_at: z.iso.datetime().describe('the figure may be a few minutes old'),
  })
  .openapi('WorkspaceUsage')

type WorkspaceRouteDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'limits' | 'storage'>

export const workspaceRoutes = (deps: WorkspaceRouteDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/workspace',
    operationId: 'getWorkspace',
    scope: 'workspace:read',
    tag: 'Workspace',
    summary: 'The workspace and its settings',
    responses: { 200: { description: 'The workspace', schema: workspace } },
    handler: async ({ ws }) => reply(200, toWireWorkspace(await requireWorkspace(deps, ws))),
  }),
  route({
    method: 'patch',
    path: '/api/w/{ws}/workspace',
    operationId: 'updateWorkspace',
    scope: 'workspace:write',
    tag: 'Workspace',
    summary: 'Change settings; what is left out stays',
    body: z.strictObject({
      name: name.optional(),
      default_tag: jobTag.optional(),
      error_handler: actionKey.nullish(),
    }),
    responses: {
      200: { description: 'Changed', schema: workspace },
      404: problem('The action of `error_handler` is not there'),
    },
    handler: async ({ ws, body, actor }) => {
      const wish = {
        name: body.name,
        defaultTag: body.default_tag,
        errorHandler: body.error_handler,
      }
      return reply(200, toWireWorkspace(await changeWorkspace(deps, ws, { actor, change: wish })))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/workspace/usage',
    operationId: 'getWorkspaceUsage',
    scope: 'workspace:read',
    tag: 'Workspace',
    summary: 'How much the workspace keeps, and how much it may keep',
    responses: { 200: { description: 'The figures', schema: usage } },
    handler: async ({ ws }) => {
      const { bytes, measuredAt } = await deps.storage.measure(ws)
      const { maxStoredBytes } = deps.limits
      return reply(200, {
        stored_bytes: bytes,
        max_stored_bytes: maxStoredBytes === 0 ? null : maxStoredBytes,
        measured_at: toTimestamp(measuredAt),
      })
    },
  }),
  route({
    method: 'get',
    path: '/api/admin/workspaces',
    operationId: 'adminListWorkspaces',
    scope: 'instance',
    tag: 'Instance',
    summary: 'All workspaces, by id',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(workspace) } },
    handler: async ({ query: { limit, cursor } }) => {
      const page = { afterId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listWorkspaces(deps.db, page)
      return reply(200, toPage(rows, limit, { toItem: toWireWorkspace, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'post',
    path: '/api/admin/workspaces',
    operationId: 'adminCreateWorkspace',
    scope: 'instance',
    tag: 'Instance',
    summary: 'Make a workspace',
    body: z.strictObject({ id: z.string().max(63).describe(WORKSPACE_ID_RULE), name }),
    responses: {
      201: { description: 'Made', schema: workspace },
      409: problem('It exists already'),
    },
    handler: async ({ body, actor }) =>
      reply(201, toWireWorkspace(await createWorkspace(deps, { ...body, actor }))),
  }),
  route({
    method: 'patch',
    path: '/api/admin/workspaces/{id}',
    operationId: 'adminUpdateWorkspace',
    scope: 'instance',
    tag: 'Instance',
    summary:
      'Suspend or resume a workspace, or set which tags its jobs may have and how many run at once',
    params: z.object({ id: z.string() }),
    body: z.strictObject({
      suspended: z.boolean().optional().describe('refuse its paid calls from now on'),
      max_running: z
        .int()
        .min(0)
        .max(1_000_000)
        .nullish()
        .describe('0: any number, null: as SVC_WORKSPACE_MAX_RUNNING says'),
      allowed_tags: z
        .array(jobTag)
        .max(100)
        .nullish()
        .describe('tags that its jobs may have; null: any. What is left out stays.'),
    }),
    responses: {
      200: { description: 'Changed', schema: workspace },
      404: problem('Unknown workspace'),
    },
    handler: async ({ params: { id: ws }, body, actor }) => {
      const rules: WorkspaceRules = {
        ...(body.suspended === undefined ? {} : { isSuspended: body.suspended }),
        ...(body.max_running === undefined ? {} : { maxRunning: body.max_running }),
        ...(body.allowed_tags === undefined ? {} : { allowedTags: body.allowed_tags }),
      }
      return reply(200, toWireWorkspace(await administerWorkspace(deps, { ws, rules, actor })))
    },
  }),
]
