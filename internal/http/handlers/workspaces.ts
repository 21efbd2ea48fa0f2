import { holdsScope } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { shortTarget } from '#core/notify/rule.ts'
import { administerWorkspace, type WorkspaceRules } from '#service/administer-workspace.ts'
import { changeWorkspace, requireWorkspace } from '#service/change-workspace.ts'
import { createWorkspace } from '#service/create-workspace.ts'
import type { Deps } from '#service/deps.ts'
import { listWorkspaces, type Workspace } from '#store/workspaces.ts'
import { created, ok } from '../answer.ts'
import { workspaceEndpoints } from '../endpoints/workspaces.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, paginate } from '../schemas/page.ts'

const toWorkspace = (row: Workspace) => ({ ...row, suspended: row.suspendedAt !== null })

/** Addresses of targets may give access: they are shown to those who may change them. */
const forReader = (principal: Principal, row: Workspace) => {
  const shown = toWorkspace(row)
  return holdsScope(principal, 'workspace:write')
    ? shown
    : { ...shown, notify: shown.notify.map((rule) => ({ ...rule, to: shortTarget(rule.to) })) }
}

type WorkspaceRouteDeps = Pick<Deps, 'db' | 'newId' | 'keyring' | 'limits' | 'storage'>

export const workspaceRoutes = handlers(workspaceEndpoints, (deps: WorkspaceRouteDeps) => ({
  getWorkspace: async ({ ws, principal }) =>
    ok(forReader(principal, await requireWorkspace(deps, ws))),
  updateWorkspace: async ({ ws, body, actor }) => {
    const change = {
      name: body.name,
      defaultTag: body.default_tag,
      errorHandler: body.error_handler,
      notify: body.notify === null ? [] : body.notify,
      hiddenSections: body.hidden_sections,
    }
    return ok(toWorkspace(await changeWorkspace(deps, ws, { actor, change })))
  },
  getWorkspaceUsage: async ({ ws }) => {
    const { bytes, measuredAt } = await deps.storage.measure(ws)
    const { maxStoredBytes } = deps.limits
    return ok({
      storedBytes: bytes,
      maxStoredBytes: maxStoredBytes === 0 ? null : maxStoredBytes,
      measuredAt,
    })
  },
  adminListWorkspaces: async ({ query: { limit, cursor } }) => {
    const page = { afterId: decodeCursor(cursor), limit: limit + 1 }
    const rows = await listWorkspaces(deps.db, page)
    return ok(paginate(rows.map(toWorkspace), limit, ({ id }) => id))
  },
  adminCreateWorkspace: async ({ body, actor }) =>
    created(toWorkspace(await createWorkspace(deps, { ...body, actor }))),
  adminUpdateWorkspace: async ({ params: { id: ws }, body, actor }) => {
    const rules: WorkspaceRules = {
      ...(body.suspended === undefined ? {} : { isSuspended: body.suspended }),
      ...(body.max_running === undefined ? {} : { maxRunning: body.max_running }),
      ...(body.allowed_tags === undefined ? {} : { allowedTags: body.allowed_tags }),
      ...(body.egress_allow === undefined ? {} : { egressAllow: body.egress_allow }),
    }
    return ok(toWorkspace(await administerWorkspace(deps, { ws, rules, actor })))
  },
}))
