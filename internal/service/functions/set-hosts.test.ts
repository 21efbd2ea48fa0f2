import { afterEach, beforeEach, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { createOwnHosts } from '#core/function/own-hosts.ts'
import { listHostClaims } from '#store/apps/hosts.ts'
import { sql } from '#store/sql.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { setHosts } from './set-hosts.ts'
import { verifyHost } from './verify-host.ts'

const HOST = 'api.shop.example'

let home: TestWorkspace
let eu: TestWorkspace
beforeEach(async () => {
  home = await openTestWorkspace()
  eu = await openTestWorkspace()
})
afterEach(() => Promise.all([home.close(), eu.close()]))

/** An app `shop` in a workspace of one of the two cells. */
const addShop = async ({ deps, addWorkspace }: TestWorkspace, ws: string) => {
  await addWorkspace(ws)
  await deps.db.write([
    sql`INSERT INTO apps (ws, key, name, created_at, updated_at) VALUES (${ws}, 'shop', 'Shop', 1, 1)`,
  ])
  const cells = { home: home.deps.db, furtherCells: () => [{ name: 'eu', db: eu.deps.db }] }
  const ownHosts = createOwnHosts({ urls: [], appsDomain: 'apps.example' })
  const own = { ...deps, ...cells, ownHosts }
  const request = { ws, app: 'shop', actor: CLI_ACTOR }
  return {
    set: (isOperator: boolean) => setHosts(own, { ...request, hosts: [HOST], isOperator }),
    /** Verifies the name, whose TXT record is there. */
    verify: async () => {
      const [claim] = await listHostClaims(deps.db, request)
      const records = [claim?.txtValue ?? '']
      const lookUpTxt = async () => ({ kind: 'answered', records }) as const
      return verifyHost({ ...own, lookUpTxt }, { ...request, host: HOST })
    },
  }
}

test('a name belongs to one app of all cells', async () => {
  const first = await addShop(eu, 'first')
  const later = await addShop(home, 'later')
  await later.set(false)
  await first.set(true)
  await expect(later.verify()).rejects.toMatchObject({ code: 'host_taken' })
  await expect(later.set(true)).rejects.toMatchObject({ code: 'host_taken' })
  expect(await first.verify()).toMatchObject({ problem: null })
})
