import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { listFunctionHashes, listFunctions } from '#store/apps/functions.ts'
import { asText } from '#store/column.ts'
import { sql } from '#store/sql.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import { createEmptyApp } from '../apps/manage-app.ts'
import { deployFunctions } from './deploy-functions.ts'
import { ownFilesJson, readFunctionFiles } from './function-files.ts'

const FILE_BYTES = 1_000_000
const CODE = new TextEncoder().encode('export default () => new Response()')
const YAML = new TextEncoder().encode('description: large\n')

const place = await workspaceForFile()

const deploy = async (app: string, data: readonly Uint8Array[]) => {
  const files = [
    { path: 'functions/large/index.ts', bytes: CODE },
    { path: 'functions/large/function.yaml', bytes: YAML },
    ...data.map((bytes, at) => ({ path: `functions/large/data/${at}`, bytes })),
  ]
  const actor = actorFor(ADMIN)
  const admitLate = async () => undefined
  await deployFunctions(place.deps, { ws: WS, app, actor, admitLate, files, force: false })
}

const read = async (app: string): Promise<readonly string[]> => {
  const texts: string[] = []
  const all = await listFunctions(place.deps.db, WS, app)
  for await (const some of readFunctionFiles(place.deps, { ws: WS, app }, all)) {
    for (const each of some) texts.push((await ownFilesJson(place.deps, each)).text)
  }
  return texts
}

const create = (key: string) =>
  createEmptyApp(place.deps, { ws: WS, key, name: key, actor: actorFor(ADMIN) })

test('17 MB of files of a function are stored and read without blocking the event loop', async () => {
  const apps = [0, 1, 2, 3].map((at) => `large-${at}`)
  for (const app of apps) await create(app)
  const data = apps.map(() => Array.from({ length: 17 }, () => randomBytes(FILE_BYTES)))
  const storedMs = await leastLongestTurnMs((at) => deploy(apps[at] ?? '', data[at] ?? []), {
    enoughMs: 0,
  })
  const readMs = await leastLongestTurnMs((at) => read(apps[at] ?? ''))
  expect({ storedMs, readMs }).toEqual({
    storedMs: expect.toSatisfy((ms: number) => ms < 50),
    readMs: expect.toSatisfy((ms: number) => ms < 50),
  })
  const [text = ''] = await read('large-1')
  const files: Readonly<Record<string, string>> = JSON.parse(text)
  expect(Object.keys(files)).toHaveLength(19)
  expect(Buffer.from(files['data/16'] ?? '', 'base64').equals(data[1]?.[16] ?? CODE)).toBe(true)
})

test('a small function has its files in its row, where older nodes look for them', async () => {
  await create('small')
  await deploy('small', [CODE])
  const [row] = await place.deps.db.all(
    sql`SELECT files FROM app_functions WHERE ws = ${WS} AND app = 'small'`,
  )
  const text = asText(row?.files)
  expect(await read('small')).toEqual([text])
  expect(Object.keys(JSON.parse(text))).toEqual(['index.ts', 'function.yaml', 'data/0'])
})

test('a function that is deployed while functions are read has the hash of the files that are listed', async () => {
  const at = { ws: WS, app: 'changing' }
  await create(at.app)
  await deploy(at.app, [CODE])
  const listed = await listFunctions(place.deps.db, at.ws, at.app)
  await deploy(at.app, [YAML])
  const hashes = await listFunctionHashes(place.deps.db, at.ws, at.app)
  for await (const [found] of readFunctionFiles(place.deps, at, listed)) {
    const files: Readonly<Record<string, string>> = JSON.parse(found?.filesJson ?? '')
    expect(files['data/0']).toBe(Buffer.from(YAML).toString('base64'))
    expect(found?.hash).toBe(hashes.get('large'))
  }
})
