/** A token that ends while its deployment is read, which may take minutes, deploys nothing [wire 1.6]. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { findApp } from '#store/apps/apps.ts'
import { listFunctionHashes } from '#store/apps/functions.ts'
import { sql } from '#store/sql.ts'
import { oneActionApp } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { type TestApp, type TestRequest, WS } from '../support/create-test-app.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { openPushServer, type PushServer, runGit } from '../support/push-server.ts'

const repositories = openRepositoryFolder()
let meanwhile: () => Promise<unknown> = async () => undefined
let server: PushServer
let app: TestApp
beforeAll(async () => {
  server = await openPushServer(1_048_576, {
    gitLocalRoots: [repositories.root],
    fetchPackages: async () => {
      await meanwhile()
      return []
    },
  })
  ;({ app } = server)
})
afterEach(() => {
  vi.restoreAllMocks()
  meanwhile = async () => undefined
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

const api = (path: string): string => `/api/w/${WS}${path}`
const files = (key: string) => ({
  ...oneActionApp(key),
  'functions/hello/index.ts': "export default () => 'hello'\n",
})

/** Makes the packages of a deployment take two seconds to arrive, in which the token is revoked. */
const revokeMeanwhile = (id: string): void => {
  const now = performance.now.bind(performance)
  meanwhile = async () => {
    await app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1 WHERE id = ${id}`])
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000)
  }
}

type Send = (key: string, token: string) => Promise<TestRequest & Readonly<{ path: string }>>

const functionsForm = async (): Promise<TestRequest> => {
  const form = new FormData()
  const path = 'functions/late/index.ts'
  form.set(path, new File(["export default () => 'late'\n"], path))
  const sent = new Response(form)
  return {
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  }
}

const DEPLOYS: Readonly<Record<string, Send>> = {
  upload: async (key) => ({ path: '/deployments', ...(await toUpload(await packApp(files(key)))) }),
  draft: async (key, token) => {
    await app.call('PUT', api(`/drafts/${key}`), { token, json: { files: files(key) } })
    return { path: `/drafts/${key}/deploy` }
  },
  source: async (key, token) => {
    const repository = repositories.create(key)
    repository.commit(files(key))
    const json = { name: key, url: repository.path }
    const made = await app.call('POST', api('/git-sources'), { token, json })
    const { id } = z.looseObject({ id: z.string() }).parse(made.json)
    return { path: `/git-sources/${id}/sync` }
  },
}

test.each(Object.keys(DEPLOYS))('a deployment from %s needs its token to the end', async (kind) => {
  const keep = await app.issue(['*'])
  const { path, ...sent } = (await DEPLOYS[kind]?.(`late-${kind}`, keep.text)) ?? expect.fail()
  const { text, token } = await app.issue(['*'])
  revokeMeanwhile(token.id)
  const answer = await app.call('POST', api(path), { ...sent, token: text })
  expect(answer).toMatchObject({ status: 401, json: { code: 'invalid_token' } })
  expect((await findApp(app.deps.db, WS, `late-${kind}`))?.deploymentId ?? null).toBeNull()
  vi.restoreAllMocks()
  meanwhile = async () => undefined
  const again = await app.call('POST', api(path), { ...sent, token: keep.text })
  expect([200, 201]).toContain(again.status)
})

test('functions of an app and a trial of a draft need it too', async () => {
  const { text: keep } = await app.issue(['*'])
  const bundle = await toUpload(await packApp(files('both')))
  expect((await app.call('POST', api('/deployments'), { token: keep, ...bundle })).status).toBe(201)
  await app.call('PUT', api('/drafts/both'), { token: keep, json: { files: files('both') } })
  const sends: readonly (TestRequest & Readonly<{ path: string }>)[] = [
    { path: '/apps/both/functions/deploy', ...(await functionsForm()) },
    { path: '/drafts/both/try', json: { files: { ...files('both'), 'x.ts': 'export {}\n' } } },
  ]
  for (const { path, ...sent } of sends) {
    const { text, token } = await app.issue(['*'])
    revokeMeanwhile(token.id)
    const answer = await app.call('POST', api(path), { ...sent, token: text })
    expect([path, answer.status]).toEqual([path, 401])
    vi.restoreAllMocks()
  }
  expect([...(await listFunctionHashes(app.deps.db, WS, 'both')).keys()]).toEqual(['hello'])
})

test('a push needs it until its refs are accepted', async () => {
  const repository = repositories.create('pushed')
  repository.commit(oneActionApp('pushed'))
  meanwhile = () => app.deps.db.write([sql`UPDATE tokens SET revoked_at = 1`])
  const ended = await runGit(repository.path, 'push', server.remote('pushed'), 'main')
  expect(ended.text).toContain('remote: Refused: This token was revoked.')
  expect(await server.commitOf('pushed')).toBeUndefined()
})
