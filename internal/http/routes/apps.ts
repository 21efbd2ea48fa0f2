/**
 * GET, POST   /api/w/{ws}/apps
 * GET, DELETE /api/w/{ws}/apps/{app}
 * GET         /api/w/{ws}/apps/{app}/history
 * GET         /api/w/{ws}/apps/{app}/actions
 * PATCH       /api/w/{ws}/apps/{app}/actions/{action}
 */
import { notFound } from '#core/error.ts'
import type { OwnHosts } from '#core/function/own-hosts.ts'
import type { Deps } from '#service/deps.ts'
import { createEmptyApp, deleteApp, overrideTag } from '#service/manage-app.ts'
import { listHostClaims } from '#store/app-hosts.ts'
import { findApp, findCurrentAction, listApps, listCurrentActions } from '#store/apps.ts'
import type { Database } from '#store/database.ts'
import { listDeployments } from '#store/deployments.ts'
import { problem, type Route, reply, route } from '../route.ts'
import {
  action,
  app,
  appDetail,
  deployment,
  toWireAction,
  toWireApp,
  toWireAppDetail,
  toWireDeployment,
} from '../schemas/apps.ts'
import { decodeCursor, pageOf, pageQuery, toPage } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'

const appParams = z.object({ ws: z.string(), app: z.string() })
const unknownApp = { 404: problem('Unknown app') }

const requireApp = async (db: Database, ws: string, key: string) => {
  const row = await findApp(db, ws, key)
  if (row === null) throw notFound(`App "${key}"`, { code: 'app_not_found' })
  return row
}

type AppDeps = Pick<Deps, 'db' | 'newId'> & Readonly<{ ownHosts: OwnHosts }>

export const appRoutes = (deps: AppDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/apps',
    operationId: 'listApps',
    scope: 'apps:read',
    tag: 'Apps',
    summary: 'Apps, by key',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(app) } },
    handler: async ({ ws, query: { limit, cursor } }) => {
      const rows = await listApps(deps.db, ws, { afterKey: decodeCursor(cursor), limit: limit + 1 })
      return reply(200, toPage(rows, limit, { toItem: toWireApp, keyOf: ({ key }) => key }))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/apps',
    operationId: 'createApp',
    scope: 'deployments:write',
    tag: 'Apps',
    summary: 'Make an empty app',
    body: z.strictObject({ key: z.string(), name: z.string().min(1).max(200) }),
    responses: { 201: { description: 'Made', schema: app }, 409: problem('It exists') },
    handler: async ({ ws, body, actor }) =>
      reply(201, toWireApp(await createEmptyApp(deps, { ws, ...body, actor }))),
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/apps/{app}',
    operationId: 'getApp',
    scope: 'apps:read',
    tag: 'Apps',
    summary: 'An app, with its host names and how each is proved',
    params: appParams,
    responses: { 200: { description: 'The app', schema: appDetail }, ...unknownApp },
    handler: async ({ ws, params }) => {
      const row = await requireApp(deps.db, ws, params.app)
      const claims = await listHostClaims(deps.db, { ws, app: params.app })
      return reply(200, toWireAppDetail(row, claims, deps.ownHosts))
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/apps/{app}',
    operationId: 'deleteApp',
    scope: 'deployments:write',
    tag: 'Apps',
    summary: 'Delete an app; queued jobs keep what they pinned',
    params: appParams,
    responses: { 204: { description: 'Deleted' }, ...unknownApp },
    handler: async ({ ws, params, actor }) => {
      await deleteApp(deps, { ws, key: params.app, actor })
      return reply(204)
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/apps/{app}/history',
    operationId: 'listAppHistory',
    scope: 'apps:read',
    tag: 'Apps',
    summary: 'Deployments of an app, newest first',
    params: appParams,
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pageOf(deployment) }, ...unknownApp },
    handler: async ({ ws, params, query: { limit, cursor } }) => {
      await requireApp(deps.db, ws, params.app)
      const filter = { app: params.app, beforeId: decodeCursor(cursor), limit: limit + 1 }
      const rows = await listDeployments(deps.db, ws, filter)
      return reply(200, toPage(rows, limit, { toItem: toWireDeployment, keyOf: ({ id }) => id }))
    },
  }),
  route({
    method: 'get',
    path: '/api/w/{ws}/apps/{app}/actions',
    operationId: 'listAppActions',
    scope: 'apps:read',
    tag: 'Apps',
    summary: 'Actions of the current deployment',
    params: appParams,
    responses: { 200: { description: 'All actions', schema: pageOf(action) }, ...unknownApp },
    handler: async ({ ws, params }) => {
      await requireApp(deps.db, ws, params.app)
      const rows = await listCurrentActions(deps.db, ws, params.app)
      return reply(200, { items: rows.map(toWireAction), pagination: { next_cursor: null } })
    },
  }),
  route({
    method: 'patch',
    path: '/api/w/{ws}/apps/{app}/actions/{action}',
    operationId: 'updateAppAction',
    scope: 'apps:write',
    tag: 'Apps',
    summary: 'Send the jobs of an action to workers of another tag',
    params: appParams.extend({ action: z.string() }),
    body: z.strictObject({
      tag_override: z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, . - or _')
        .nullable(),
    }),
    responses: {
      200: { description: 'The action', schema: action },
      404: problem('Unknown app or action'),
    },
    handler: async ({ ws, params, body, actor }) => {
      const known = await findCurrentAction(deps.db, ws, params.app, params.action)
      if (known === null) throw notFound(`Action "${params.action}" of app "${params.app}"`)
      await overrideTag(deps, {
        ws,
        app: params.app,
        action: params.action,
        tag: body.tag_override,
        actor,
      })
      return reply(200, toWireAction({ ...known, tagOverride: body.tag_override }))
    },
  }),
]
