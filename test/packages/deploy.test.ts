/** Deploys the lock file of project/ without node_modules: the packages come from npm's registry, by their hashes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPackageCache } from '#bundle/package-cache.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { isLong } from '../support/runs.ts'
import { CALLS } from './calls.ts'

const NAMES = isLong ? Object.keys(CALLS) : ['pg', 'pino']

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'project', name), 'utf8')

let folder: string
let app: TestApp

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-registry-'))
  app = await createTestApp({
    fetchPackages: createFetchPackages({
      registry: 'https://registry.npmjs.org/',
      cache: createPackageCache({ folder, maxBytes: 500_000_000 }),
    }),
  })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const MAX_MS = 120_000

it(
  `deploys ${NAMES.join(', ')} from a lock file`,
  async () => {
    const actions = NAMES.map((_, at) => `  - { key: call-${at}, entrypoint: actions/${at}.ts }`)
    const files = {
      'app.yaml': `key: packages\nname: Packages\nactions:\n${actions.join('\n')}\n`,
      'package.json': read('package.json'),
      'package-lock.json': read('package-lock.json'),
      ...Object.fromEntries(NAMES.map((name, at) => [`actions/${at}.ts`, CALLS[name] ?? ''])),
    }
    const token = await app.token(['deployments:write'])
    const answer = await app.call('POST', `/api/w/${WS}/deployments`, {
      token,
      ...(await toUpload(await packApp(files))),
    })
    expect(answer).toMatchObject({ status: 201 })
  },
  MAX_MS,
)
