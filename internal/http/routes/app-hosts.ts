/**
 * PATCH /api/w/{ws}/apps/{app}
 * POST  /api/w/{ws}/apps/{app}/hosts/{host}/verify
 */

import { isOperator } from '#core/access/policy.ts'
import { notFound } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import type { Deps } from '#service/deps.ts'
import { setHosts } from '#service/functions/set-hosts.ts'
import { type VerifyDeps, verifyHost } from '#service/functions/verify-host.ts'
import { listHostClaims } from '#store/app-hosts.ts'
import { findApp } from '#store/apps.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { appDetail, appHost, toWireAppDetail, toWireHost } from '../schemas/apps.ts'
import { z } from '../schemas/z.ts'

const MAX_HOSTS = limit('app.hosts', 50, 'items', 'Host names of an app.')

const appParams = z.object({ ws: z.string(), app: z.string() })

const verifiedHost = appHost.extend({
  problem: z.string().nullable().describe('why it is still pending; null when it is active'),
})

export const appHostRoutes = (deps: Pick<Deps, 'db'> & VerifyDeps): readonly Route[] => [
  route({
    method: 'patch',
    path: '/api/w/{ws}/apps/{app}',
    operationId: 'updateApp',
    scope: '*',
    tag: 'Apps',
    summary:
      'Set the host names of an app. A name is pending until a TXT record proves it; one set by a super admin is active at once',
    params: appParams,
    body: z.strictObject({ hosts: z.array(z.string().min(1).max(253)).max(MAX_HOSTS) }),
    responses: {
      200: { description: 'The app', schema: appDetail },
      400: problem('No host name (`bad_host`)'),
      404: problem('Unknown app'),
      409: problem('Kept for svc itself (`host_reserved`), or another app’s (`host_taken`)'),
    },
    handler: async ({ ws, params: { app }, body: { hosts }, actor, principal }) => {
      const row = await findApp(deps.db, ws, app)
      if (row === null) throw notFound(`App "${app}"`, { code: 'app_not_found' })
      await setHosts(deps, { ws, app, hosts, actor, isOperator: isOperator(principal) })
      const claims = await listHostClaims(deps.db, { ws, app })
      return reply(200, toWireAppDetail(row, claims, deps.ownHosts))
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/apps/{app}/hosts/{host}/verify',
    operationId: 'verifyAppHost',
    scope: '*',
    tag: 'Apps',
    summary: 'Look for the TXT record of a host name; where it is there, the name is active',
    params: appParams.extend({ host: z.string() }),
    responses: {
      200: { description: 'The host name as it is now', schema: verifiedHost },
      404: problem('Unknown app, or a name that was not set'),
      409: problem('Kept for svc itself (`host_reserved`), or another app’s (`host_taken`)'),
    },
    handler: async ({ ws, params: { app, host }, actor }) => {
      const { claim, problem: why } = await verifyHost(deps, { ws, app, host, actor })
      return reply(200, { ...toWireHost(claim, deps.ownHosts), problem: why })
    },
  }),
]
