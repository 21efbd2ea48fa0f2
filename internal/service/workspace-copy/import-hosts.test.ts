/** A file names apps that have had functions longer than those served here: none of them takes the host of another app. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashBundle } from '#bundle/bundle-hash.ts'
import { runSteps } from '#bundle/steps.ts'
import { createOwnHosts } from '#core/function/own-hosts.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import { sql } from '#store/sql.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { createHostResolver } from '../functions/resolve-host.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { exportWorkspace } from './export-workspace.ts'
import { importWorkspace } from './import-workspace.ts'
import type { OpenLines } from './read-file.ts'

const PASSPHRASE = 'correct horse battery staple'
const BUNDLE = { code: 'export default () => 1', sourceMap: '{}' }
const HOSTS = { ownHosts: createOwnHosts({ urls: [], appsDomain: 'apps.example' }) }

let from: TestWorkspace
let to: TestWorkspace
beforeEach(async () => {
  from = await openTestWorkspace()
  to = await openTestWorkspace()
})
afterEach(() => Promise.all([from.close(), to.close()]))

/** An app with a function that was deployed at a time. */
const addApp = ({ db }: TestWorkspace, ws: string, app: string, deployedAt: number) =>
  db.write([
    sql`INSERT INTO apps (ws, key, name, created_at, updated_at) VALUES (${ws}, ${app}, 'Shop', 1, 1)`,
    insertBundle(runSteps(hashBundle(BUNDLE)), BUNDLE),
    sql`INSERT INTO app_functions (ws, app, name, hash, bundle_hash, definition, files, entrypoint, deployed_by, deployed_at)
      VALUES (${ws}, ${app}, 'hello', 'h', ${runSteps(hashBundle(BUNDLE))}, '{}', '{}', 'index.ts', 'me', ${deployedAt})`,
  ])

/** The workspace to which the host of a key leads. */
const servedBy = async (app: string): Promise<unknown> =>
  createHostResolver(to.deps, { ...HOSTS, now: () => 0 }).resolve(`${app}.apps.example`)

test('an imported app takes no host that leads to an app here, neither during the import nor after it', async () => {
  await to.addWorkspace('here')
  await addApp(to, 'here', 'shop', 2_000)
  await createWorkspace(from.deps, { id: 'imported', name: 'Imported' })
  await addApp(from, 'imported', 'shop', 1_000)
  await addApp(from, 'imported', 'other', 1_000)
  let file = ''
  const request = { ws: 'imported', passphrase: PASSPHRASE, version: 'test' }
  for await (const block of exportWorkspace(from.deps, from.db, request)) file += block
  const open: OpenLines = async function* () {
    yield* file.split('\n').slice(0, -1)
  }
  const stop = (point: string): void => {
    if (point === 'import_compared') throw new Error('killed')
  }
  const given = { open, passphrase: PASSPHRASE }
  await expect(importWorkspace({ ...to.deps, passFault: stop }, given)).rejects.toThrow('killed')
  expect(await servedBy('shop')).toEqual({ ws: 'here', app: 'shop' })
  expect(await servedBy('other')).toBe('unknown_app')
  await importWorkspace(to.deps, given)
  expect(await servedBy('shop')).toEqual({ ws: 'here', app: 'shop' })
  expect(await servedBy('other')).toEqual({ ws: 'imported', app: 'other' })
})
