import { holdsScope } from '#core/access/policy.ts'
import type { Principal } from '#core/access/principal.ts'
import { HOME_CELL } from '#core/cells.ts'
import { shortTarget } from '#core/notify/rule.ts'
import { listWorkspacesInCells } from '#service/cells/list-workspaces.ts'
import type { Deps } from '#service/deps.ts'
import {
  administerWorkspace,
  type WorkspaceRules,
} from '#service/workspaces/administer-workspace.ts'
import { changeWorkspace } from '#service/workspaces/change-workspace.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import { requireWorkspace } from '#service/workspaces/require-workspace.ts'
import { settingsContent, type Workspace } from '#store/workspaces/workspaces.ts'
import { answer, created, ok } from '../answer.ts'
import { workspaceEndpoints } from '../endpoints/workspaces.ts'
import { handlers } from '../handlers.ts'
import { readContentMatch, readVersion } from '../row-match.ts'
import { pageAfter, paginate } from '../schemas/page.ts'

const toWorkspace = (row: Workspace) => ({ ...row, suspended: row.suspendedAt !== null })

/** Addresses of targets may give access, so they are shown only to callers who may change them. */
const forReader = (principal: Principal, row: Workspace) => {
  const shown = toWorkspace(row)
  return holdsScope(principal, 'workspace:write')
    ? shown
    : { ...shown, notify: shown.notify.map((rule) => ({ ...rule, to: shortTarget(rule.to) })) }
}

type WorkspaceRouteDeps = Pick<
  Deps,
  'db' | 'home' | 'furtherCells' | 'newId' | 'keyring' | 'limits' | 'storage' | 'hints'
>

/** `cell` is omitted if the instance has one database. */
const toPlaced = ({ furtherCells }: Pick<Deps, 'furtherCells'>, row: Workspace, cell: string) => ({
  ...toWorkspace(row),
  ...(furtherCells().length === 0 ? {} : { cell }),
})

export const workspaceRoutes = handlers(workspaceEndpoints, (deps: WorkspaceRouteDeps) => ({
  getWorkspace: async ({ ws, principal }) => {
    const version = await readVersion(deps.db, settingsContent(ws))
    return answer(200, forReader(principal, await requireWorkspace(deps, ws)), version)
  },
  updateWorkspace: async ({ ws, body, actor, header }) => {
    const match = readContentMatch(header)
    const change = {
      name: body.name,
      defaultTag: body.default_tag,
      errorHandler: body.error_handler,
      notify: body.notify === null ? [] : body.notify,
      hiddenSections: body.hidden_sections,
    }
    return ok(toWorkspace(await changeWorkspace(deps, ws, { actor, change, match })))
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
  adminListWorkspaces: async ({ query }) => {
    const rows = await listWorkspacesInCells(deps, pageAfter(query))
    const items = rows.map(({ workspace, cell }) => toPlaced(deps, workspace, cell))
    return ok(paginate(items, query.limit, ({ id }) => id))
  },
  adminCreateWorkspace: async ({ body: { cell = HOME_CELL, ...body }, actor }) => {
    const made = await createWorkspace(deps, { ...body, cell, actor })
    deps.hints.placeChanged.emit(made.id)
    return created(toPlaced(deps, made, cell))
  },
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
