/** Retention: ended jobs among very many that wait, and source files that nothing refers to. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertDraft } from '#store/apps/drafts.ts'
import { findSources, insertDeploymentFiles } from '#store/apps/source-files.ts'
import { sql } from '#store/sql.ts'
import { smallestIdAt } from '#store/uuid-bounds.ts'
import { deployActions } from '../../test/support/deploy-action.ts'
import { WS } from '../../test/support/open-queue.ts'
import { ADMIN, openTestWorkspace, type TestWorkspace } from '../../test/support/test-workspace.ts'
import { keepSources } from './deploy/keep-sources.ts'
import { sweepJobs, sweepUnusedSources } from './sweep.ts'

const { signal } = new AbortController()
const contentOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

let place: TestWorkspace
beforeEach(async () => {
  place = await openTestWorkspace()
})
afterEach(() => place.close())

const keep = (...texts: readonly string[]) =>
  keepSources(place.deps, new Map(texts.map((text) => [`${text}.txt`, contentOf(text)])))
const passADay = () => place.db.write([sql`UPDATE unused_sources SET since = since - 2 * 86400000`])
const sweep = () => sweepUnusedSources(place.deps, { signal })
const isKept = async (text: string): Promise<boolean> =>
  (await findSources(place.db, [hashOf(text)])).size === 1

test('files of a killed deployment are deleted after a day, and those that others use stay', async () => {
  const deployed = await keep('deployed')
  const id = await deployActions(place.deps, [{ ws: WS, app: 'hello', key: 'greet' }])
  const row = {
    ws: WS,
    app: 'x',
    filesJson: '[]',
    parts: [],
    fileCount: 0,
    bytes: 0,
    updatedBy: ADMIN,
  }
  const carried = new Map([['logo', hashOf('carried')]])
  await keep('carried', 'killed', 'of a function')
  await place.db.write([
    insertDeploymentFiles(id, deployed),
    insertDraft({ ...row, carried }),
    sql`INSERT INTO function_versions (name, hash, bundle_hash, definition, files, shared, entrypoint)
      SELECT 'f', 'h', hash, '{}', '{}', ${JSON.stringify({ 'lib.ts': hashOf('of a function') })}, 'index.ts' FROM bundles LIMIT 1`,
    sql`INSERT INTO function_versions (name, hash, bundle_hash, definition, files, shared, entrypoint)
      SELECT 'g', 'h', hash, '{}', '{}', '{bad', 'index.ts' FROM bundles LIMIT 1`,
  ])
  await sweep()
  expect(await isKept('killed')).toBe(true)
  await passADay()
  await sweep()
  expect(await isKept('killed')).toBe(false)
  for (const text of ['deployed', 'carried', 'of a function']) expect(await isKept(text)).toBe(true)
  expect(await place.db.one(sql`SELECT count(*) AS n FROM unused_sources`)).toEqual({ n: 0 })
})

test('a file stays if a deployment is about to use it again', async () => {
  await keep('again')
  await passADay()
  await keep('again')
  await sweep()
  expect(await isKept('again')).toBe(true)
})

test('a file stays if a deployment is about to use it while the sweep looks for references', async () => {
  await keep('meanwhile')
  await passADay()
  await sweepUnusedSources(place.deps, {
    signal,
    mayDelete: async () => {
      await keep('meanwhile')
      return true
    },
  })
  expect(await isKept('meanwhile')).toBe(true)
})

test('ended jobs are found among very many that wait, few of which a statement passes', async () => {
  const [old, waiting] = [(await place.db.now()) - 9 * 86_400_000, 12_000]
  await place.db.write([
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${waiting})
      INSERT INTO jobs (ws, id, app, action, deployment_id, status, tag, run_at, crash_limit, trigger_kind, created_by,
        permissioned_as, created_at, completed_at)
      SELECT ${WS}, ${smallestIdAt(old).slice(0, 24)} || format('%012x', i), 'shop', 'sell', 'd',
        CASE i % 3000 WHEN 0 THEN 'success' ELSE 'queued' END, 'default', ${old}, 3, 'api', 'me', 'me', ${old},
        CASE i % 3000 WHEN 0 THEN ${old} END FROM n`,
  ])
  const lists: string[] = []
  const all: typeof place.db.all = (statement) => {
    lists.push(statement.sql)
    return place.db.all(statement)
  }
  const deps = { db: { ...place.db, all } }
  expect(await sweepJobs(deps, { signal, retentionDays: 1 })).toBe(4)
  const left = await place.db.one(sql`SELECT count(*) AS n FROM jobs WHERE completed_at IS NULL`)
  expect(left).toEqual({ n: waiting - 4 })
  lists.length = 0
  await sweepJobs(deps, { signal, retentionDays: 1 })
  // each passes 2,000
  expect(lists.filter((text) => text.includes('completed_at <'))).toHaveLength(6)
})
