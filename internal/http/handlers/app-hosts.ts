import { isOperator } from '#core/access/policy.ts'
import { requireApp } from '#service/apps/require-app.ts'
import type { Deps } from '#service/deps.ts'
import { setHosts } from '#service/functions/set-hosts.ts'
import { type VerifyDeps, verifyHost } from '#service/functions/verify-host.ts'
import { listHostClaims } from '#store/apps/hosts.ts'
import { ok } from '../answer.ts'
import { appHostEndpoints } from '../endpoints/app-hosts.ts'
import { handlers } from '../handlers.ts'
import { readContentMatch } from '../row-match.ts'
import { toAppDetail, toHost } from '../views/apps.ts'

export const appHostRoutes = handlers(appHostEndpoints, (deps: Pick<Deps, 'db'> & VerifyDeps) => ({
  updateApp: async ({ ws, params: { app }, body: { hosts }, actor, principal, header }) => {
    const row = await requireApp(deps, ws, app)
    const match = readContentMatch(header)
    await setHosts(deps, { ws, app, hosts, actor, isOperator: isOperator(principal), match })
    const claims = await listHostClaims(deps.db, { ws, app })
    return ok(toAppDetail(row, claims, deps.ownHosts))
  },
  verifyAppHost: async ({ ws, params: { app, host }, actor }) => {
    const { claim, problem: why } = await verifyHost(deps, { ws, app, host, actor })
    return ok({ ...toHost(claim, deps.ownHosts), problem: why })
  },
}))
