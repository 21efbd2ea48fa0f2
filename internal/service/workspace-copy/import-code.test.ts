/** An imported workspace brings its code, and none for other workspaces. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { hashBundle } from '#bundle/bundle-hash.ts'
import { runSteps } from '#bundle/steps.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import { insertDraft } from '#store/apps/drafts.ts'
import { findSources } from '#store/apps/source-files.ts'
import { statementsOf } from '#store/batch.ts'
import { sql } from '#store/sql.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { WS } from '../../../test/support/open-queue.ts'
import {
  ADMIN,
  actorFor,
  openTestWorkspace,
  type TestWorkspace,
} from '../../../test/support/test-workspace.ts'
import { deployApps, toOne } from '../deploy/deploy-app.ts'
import { keepSources } from '../deploy/keep-sources.ts'
import { redeployApp } from '../deploy/redeploy-app.ts'
import type { FaultPoint, PassFault } from '../fault-points.ts'
import type { AllDeps } from '../flows/engine.ts'
import { sweepUnusedSources } from '../sweep.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { discardImport } from './discard-import.ts'
import { exportWorkspace } from './export-workspace.ts'
import { importWorkspace } from './import-workspace.ts'
import type { OpenLines } from './read-file.ts'

const PASSPHRASE = 'correct horse battery staple'
const FORGER = 'forger'

const bundleOf = (code: string) => {
  const bundle = { code, sourceMap: '{}' }
  return {
    loadCode: async () => bundle,
    codeLength: code.length,
    packedBytes: code.length,
    hash: runSteps(hashBundle(bundle)),
    sources: [],
    warnings: [],
    missingExports: [],
  }
}

/** A function whose hash is known to everyone who has its sources, as of a public template. */
const functionOf = (code: string): BundledFunction => ({
  source: {
    name: 'hello',
    hash: `sources of ${code}`,
    definition: { description: '', methods: [], tags: [], timeoutS: 30, minLevel: null },
    files: new Map(),
    entrypoint: 'index.ts',
  },
  entry: { ...bundleOf(code), entrypoint: 'functions/hello/.svc-entry.ts' },
  shared: new Map(),
})

const deploy = async (deps: AllDeps, ws: string, code: string): Promise<string> => {
  const app = {
    manifest: {
      key: 'shop',
      name: 'shop',
      actions: [],
      flows: [],
      webhooks: [],
      schedules: [],
      events: [],
    },
    entries: [],
    functions: [functionOf(code)],
    sources: new Map([['app.yaml', new TextEncoder().encode(code)]]),
    hash: `sha256:${code}`,
    warnings: [],
  }
  const request = {
    ws,
    source: 'upload',
    commit: null,
    gitSourceId: null,
    message: null,
    actor: actorFor(ADMIN),
  } as const
  return toOne(await deployApps(deps, [app], request)).deploymentId
}

const codeNow = async ({ db }: AllDeps, ws: string): Promise<string> => {
  const found = await db.one(sql`SELECT CAST(b.code AS TEXT) AS code FROM app_functions f
    JOIN bundles b ON b.hash = f.bundle_hash WHERE f.ws = ${ws} AND f.app = 'shop' AND f.name = 'hello'`)
  return String(found?.code)
}

const CARRIED = new TextEncoder().encode('of the draft alone')

/** Stores a draft with a file that no deployment has. */
const keepForDraft = async (deps: AllDeps): Promise<void> => {
  const [kept] = await keepSources(deps, new Map([['logo.bin', CARRIED]]))
  const carried = new Map([['logo.bin', kept?.sha256 ?? '']])
  const made = { ws: FORGER, app: 'shop', filesJson: '[]', parts: [], fileCount: 0, bytes: 0 }
  await deps.db.write([insertDraft({ ...made, carried, updatedBy: ADMIN })])
}

const exportOf = async ({ deps, db }: TestWorkspace): Promise<OpenLines> => {
  let file = ''
  const request = { ws: FORGER, passphrase: PASSPHRASE, version: 'test' }
  for await (const block of exportWorkspace(deps, db, request)) file += block
  return async function* () {
    yield* file.split('\n').slice(0, -1)
  }
}

const stopAt =
  (point: FaultPoint): PassFault =>
  (passed) => {
    if (passed === point) throw new Error('stopped')
  }

let from: TestWorkspace
let to: TestWorkspace
/** The deployment whose function the forger has changed. */
let formerId = ''
let open: OpenLines
beforeAll(async () => {
  from = await openTestWorkspace()
  to = await openTestWorkspace()
  await createWorkspace(from.deps, { id: FORGER, name: FORGER })
  formerId = await deploy(from.deps, FORGER, 'honest')
  await deploy(from.deps, FORGER, 'later')
  const forged = bundleOf('forged')
  await from.db.write([
    insertBundle(forged.hash, await forged.loadCode()),
    sql`UPDATE app_function_versions SET bundle_hash = ${forged.hash} WHERE hash = 'sources of honest'`,
  ])
  await keepForDraft(from.deps)
  open = await exportOf(from)
  await importWorkspace(to.deps, { open, passphrase: PASSPHRASE })
})
afterAll(() => Promise.all([from.close(), to.close()]))

test('another workspace restores what it deployed itself, not what a file brought', async () => {
  const id = await deploy(to.deps, WS, 'honest')
  await deploy(to.deps, WS, 'later')
  await redeployApp(to.deps, { ws: WS, id, message: null, actor: actorFor(ADMIN) })
  expect(await codeNow(to.deps, WS)).toBe('honest')
})

test('the imported workspace restores what its file brought', async () => {
  expect(await codeNow(to.deps, FORGER)).toBe('later')
  const request = { ws: FORGER, id: formerId, message: null, actor: actorFor(ADMIN) }
  await redeployApp(to.deps, request)
  expect(await codeNow(to.deps, FORGER)).toBe('forged')
})

test('the imported workspace has the files that only its draft carries', async () => {
  const hash = createHash('sha256').update(CARRIED).digest('hex')
  expect((await findSources(to.db, [hash])).size).toBe(1)
})

test('a sweep finds the source files of an import that is discarded', async () => {
  const other = await openTestWorkspace()
  const stopped = { ...other.deps, passFault: stopAt('import_inserted') }
  const request = { open, passphrase: PASSPHRASE }
  await expect(importWorkspace(stopped, request)).rejects.toThrow('stopped')
  await discardImport(other.deps, FORGER)
  const left = sql`SELECT hash FROM source_files ORDER BY hash`
  const noted = sql`SELECT hash FROM unused_sources ORDER BY hash`
  expect(await other.db.all(noted)).toEqual(await other.db.all(left))
  expect(await other.db.all(left)).toHaveLength(3)
  await other.close()
})

test('a sweep finds the source files of an import that was stopped before their deployments came', async () => {
  const [source, other] = [await openTestWorkspace(), await openTestWorkspace()]
  await createWorkspace(source.deps, { id: FORGER, name: FORGER })
  // fills a batch of its own
  await deploy(source.deps, FORGER, 'x'.repeat(600_000))
  const { db } = other.deps
  const write: typeof db.write = async (batch, options) => {
    const written = await db.write(batch, options)
    if (statementsOf(batch).some(({ sql: text }) => text.includes('INTO source_files'))) {
      throw new Error('stopped')
    }
    return written
  }
  const request = { open: await exportOf(source), passphrase: PASSPHRASE }
  const stopped = importWorkspace({ ...other.deps, db: { ...db, write } }, request)
  await expect(stopped).rejects.toThrow('stopped')
  await discardImport(other.deps, FORGER)
  const left = await other.db.all(sql`SELECT hash FROM source_files`)
  expect(left).toHaveLength(1)
  expect(await other.db.all(sql`SELECT hash FROM unused_sources`)).toEqual(left)
  await Promise.all([source.close(), other.close()])
})

test('a file that breaks the list of files of a draft can be discarded', async () => {
  const [source, other] = [await openTestWorkspace(), await openTestWorkspace()]
  await createWorkspace(source.deps, { id: FORGER, name: FORGER })
  await keepForDraft(source.deps)
  const whole = await exportOf(source)
  await importWorkspace(other.deps, { open: whole, passphrase: PASSPHRASE })
  await other.db.write([
    sql`UPDATE drafts SET carried = '{bad'`,
    sql`INSERT INTO held_workspaces (ws, file_id, since) VALUES (${FORGER}, 'a file', 1)`,
  ])
  await discardImport(other.deps, FORGER)
  expect(await other.db.all(sql`SELECT 1 FROM workspaces WHERE id = ${FORGER}`)).toEqual([])
  await Promise.all([source.close(), other.close()])
})

test('a sweep that has looked for references leaves a file that an import brings again', async () => {
  const other = await openTestWorkspace()
  await keepSources(other.deps, new Map([['logo.bin', CARRIED]]))
  await other.db.write([sql`UPDATE unused_sources SET since = 1`])
  await sweepUnusedSources(other.deps, {
    signal: new AbortController().signal,
    mayDelete: async () => {
      if ((await findWorkspace(other.db, FORGER)) === null) {
        await importWorkspace(other.deps, { open, passphrase: PASSPHRASE })
      }
      return true
    },
  })
  const hash = createHash('sha256').update(CARRIED).digest('hex')
  expect((await findSources(other.db, [hash])).size).toBe(1)
  await other.close()
})
