import { notFound } from '#core/error.ts'
import type { OwnHosts } from '#core/function/own-hosts.ts'
import { createEmptyApp, deleteApp, overrideTag } from '#service/apps/manage-app.ts'
import { requireApp } from '#service/apps/require-app.ts'
import { readDeployments } from '#service/deploy/list-deployments.ts'
import type { Deps } from '#service/deps.ts'
import { findCurrentAction, listApps, listCurrentActions } from '#store/apps/apps.ts'
import { hostsContent, listHostClaims } from '#store/apps/hosts.ts'
import { answer, created, noContent, ok } from '../answer.ts'
import { appEndpoints } from '../endpoints/apps.ts'
import { handlers } from '../handlers.ts'
import { readVersion } from '../row-match.ts'
import { pageAfter, pageBefore, pageOfShortList, paginate } from '../schemas/page.ts'
import { toAction, toAppDetail, toDeployment } from '../views/apps.ts'

type AppDeps = Pick<Deps, 'db' | 'newId'> & Readonly<{ ownHosts: OwnHosts }>

export const appRoutes = handlers(appEndpoints, (deps: AppDeps) => ({
  listApps: async ({ ws, query }) => {
    const rows = await listApps(deps.db, ws, pageAfter(query))
    return ok(paginate(rows, query.limit, ({ key }) => key))
  },
  createApp: async ({ ws, body, actor }) =>
    created(await createEmptyApp(deps, { ws, ...body, actor })),
  getApp: async ({ ws, params }) => {
    const { app } = params
    const version = await readVersion(deps.db, hostsContent({ ws, app }))
    const row = await requireApp(deps, ws, app)
    const claims = await listHostClaims(deps.db, { ws, app })
    return answer(200, toAppDetail(row, claims, deps.ownHosts), version)
  },
  deleteApp: async ({ ws, params, actor }) => {
    await deleteApp(deps, { ws, key: params.app, actor })
    return noContent()
  },
  listAppHistory: async ({ ws, params, query }) => {
    await requireApp(deps, ws, params.app)
    const rows = await readDeployments(deps, ws, { app: params.app, ...pageBefore(query) })
    return ok(paginate(rows.map(toDeployment), query.limit, ({ id }) => id))
  },
  listAppActions: async ({ ws, params, query }) => {
    await requireApp(deps, ws, params.app)
    const rows = await listCurrentActions(deps.db, ws, params.app)
    return ok(pageOfShortList(rows.map(toAction), query, ({ key }) => key))
  },
  updateAppAction: async ({ ws, params, body, actor }) => {
    const known = await findCurrentAction(deps.db, ws, params.app, params.action)
    if (known === null) throw notFound(`Action "${params.action}" of app "${params.app}"`)
    await overrideTag(deps, {
      ws,
      app: params.app,
      action: params.action,
      tag: body.tag_override,
      actor,
    })
    return ok(toAction({ ...known, tagOverride: body.tag_override }))
  },
}))
