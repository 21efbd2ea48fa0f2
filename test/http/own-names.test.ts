/** An app that imports by `paths` of its tsconfig.json and by the name of a workspace, deployed in every way over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import type { AppTexts } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { type TestApp, WS } from '../support/create-test-app.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { openPushServer, type PushServer, runGit } from '../support/push-server.ts'

const repositories = openRepositoryFolder()
let server: PushServer
let app: TestApp
let token = ''
beforeAll(async () => {
  server = await openPushServer(1_048_576, { gitLocalRoots: [repositories.root] })
  app = server.app
  token = await app.token(['*'])
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

const appOf = (key: string): AppTexts => ({
  'app.yaml': `key: ${key}\nactions:\n  - { key: run, entrypoint: actions/run.ts }\n`,
  'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  'actions/run.ts': `import { six } from '@/numbers'; export const main = () => six`,
  'src/numbers.ts': `import { two } from '@acme/two'; export const six: number = 3 * two`,
  'packages/two/package.json': '{ "name": "@acme/two", "exports": "./src/index.ts" }',
  'packages/two/src/index.ts': 'export const two = 2',
  'functions/hi/index.ts': `import { six } from '@/numbers'; export default () => six`,
})

const call = (method: string, path: string, json?: unknown) =>
  app.call(method, `/api/w/${WS}${path}`, { token, ...(json === undefined ? {} : { json }) })

const id = z.looseObject({ id: z.string() })

const WAYS: Readonly<Record<string, (key: string) => Promise<void>>> = {
  upload: async (key) => {
    const sent = await toUpload(await packApp(appOf(key)))
    const answer = await app.call('POST', `/api/w/${WS}/deployments`, { token, ...sent })
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  },
  draft: async (key) => {
    await call('PUT', `/drafts/${key}`, { files: appOf(key) })
    expect((await call('POST', `/drafts/${key}/check`)).json).toMatchObject({ faults: [] })
    expect((await call('POST', `/drafts/${key}/deploy`)).status).toBe(201)
  },
  push: async (key) => {
    const repository = repositories.create(key)
    repository.commit(appOf(key))
    const pushed = await runGit(repository.path, 'push', server.remote(key), 'main')
    expect(pushed).toMatchObject({ code: 0 })
  },
  source: async (key) => {
    const repository = repositories.create(key)
    repository.commit(appOf(key))
    const made = await call('POST', '/git-sources', { name: key, url: repository.path })
    const synced = await call('POST', `/git-sources/${id.parse(made.json).id}/sync`)
    expect([synced.status, synced.text]).toEqual([200, expect.any(String)])
  },
}

it.each(Object.keys(WAYS))('%s', async (key) => {
  await WAYS[key]?.(key)
  expect((await call('GET', `/apps/${key}`)).json).toMatchObject({ key })
  const functions = await call('GET', `/apps/${key}/functions`)
  expect(functions.json).toMatchObject({ items: [{ name: 'hi' }] })
})

it('a draft that names what is missing gets the fault at its place', async () => {
  const files = { ...appOf('gone'), 'actions/run.ts': `import '@/none'; export const main = 1` }
  await call('PUT', '/drafts/gone', { files })
  expect((await call('POST', '/drafts/gone/check')).text).toContain(
    '\\"paths\\" of tsconfig.json leads to src/none',
  )
})
