/** POST /deployments/{id}/redeploy: deploying an earlier deployment again. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { loadBundle } from '#service/load-bundle.ts'
import { findCurrentAction } from '#store/apps/apps.ts'
import { type AppTexts, oneActionApp } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp, WS } from '../support/create-test-app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
})
afterAll(() => app.close())

const api = (path: string): string => `/api/w/${WS}${path}`
const get = (path: string): Promise<TestAnswer> => app.call('GET', api(path), { token })

const deployed = z.object({
  deployment_id: z.string(),
  app: z.string(),
  commit: z.string(),
  actions: z.array(z.string()),
  flows: z.array(z.string()),
  functions: z.array(z.string()),
})

const deploy = async (files: AppTexts, message?: string) => {
  const sent = { token, ...(await toUpload(await packApp(files), message)) }
  return deployed.parse((await app.call('POST', api('/deployments'), sent)).json)
}
const redeploy = (id: string, json?: unknown): Promise<TestAnswer> =>
  app.call('POST', api(`/deployments/${id}/redeploy`), {
    token,
    ...(json === undefined ? {} : { json }),
  })

/** The code that a job of the app would run now. */
const codeOf = async (key: string): Promise<string> => {
  const action = await findCurrentAction(app.deps.db, WS, key, 'run')
  return (await loadBundle(app.deps, action?.bundleHash ?? '')).code
}

it('a former deployment becomes current again, as a new one of the same content', async () => {
  const first = await deploy(oneActionApp('back', 'the first answer'), 'First')
  const flows = 'flows: [{ key: f, steps: [{ key: s, action: run }] }]\n'
  const other = oneActionApp('back', 'the second answer')
  const second = await deploy({ ...other, 'app.yaml': `${other['app.yaml']}name: New\n${flows}` })
  expect((await get('/apps/back')).json).toMatchObject({ name: 'New', commit: second.commit })

  const answer = await redeploy(first.deployment_id)
  expect(answer.status).toBe(201)
  const again = deployed.parse(answer.json)
  expect(again).toEqual({ ...first, deployment_id: expect.any(String) })
  expect(again.deployment_id).not.toBe(first.deployment_id)

  expect((await get('/apps/back')).json).toMatchObject({
    name: 'back',
    commit: first.commit,
    deployment_id: again.deployment_id,
  })
  expect(await codeOf('back')).toContain('the first answer')
  expect((await get('/flows')).json).toMatchObject({ items: [] })
  expect((await get(`/deployments/${again.deployment_id}`)).json).toMatchObject({
    message: 'First',
    source: 'upload',
    redeployed_from: first.deployment_id,
    manifest: { name: 'back' },
  })
  const history = z.object({ items: z.array(z.looseObject({ deployment_id: z.string() })) })
  const { items } = history.parse((await get('/apps/back/history')).json)
  expect(items.map(({ deployment_id }) => deployment_id)).toEqual(
    [again, second, first].map(({ deployment_id }) => deployment_id),
  )
  expect((await get('/audit?limit=1')).json).toMatchObject({
    items: [{ action: 'app.redeployed', target: `back ${first.commit}` }],
  })

  // and forward again, with a message
  expect((await redeploy(second.deployment_id, { message: 'It was right' })).status).toBe(201)
  expect(await codeOf('back')).toContain('the second answer')
  expect((await get('/apps/back/history?limit=1')).json).toMatchObject({
    items: [{ message: 'It was right', redeployed_from: second.deployment_id }],
  })
})

it('what was queued before keeps what it pinned', async () => {
  const first = await deploy(oneActionApp('pinned', 'one'))
  const second = await deploy(oneActionApp('pinned', 'two'))
  const run = await app.call('POST', api('/jobs/run/pinned/run'), { token, json: {} })
  const { job_id: id } = z.looseObject({ job_id: z.string() }).parse(run.json)
  await redeploy(first.deployment_id)
  expect((await get(`/jobs/${id}`)).json).toMatchObject({ commit: second.commit })
})

it('the current one is refused, unless its functions were deployed one by one since', async () => {
  const files: AppTexts = {
    ...oneActionApp('drift'),
    'functions/hello/index.ts': "export default () => 'as deployed'\n",
  }
  const { deployment_id: id } = await deploy(files)
  expect(await redeploy(id)).toMatchObject({ status: 409, json: { code: 'already_current' } })

  const form = new FormData()
  const text = "export default () => 'changed since'\n"
  form.set('functions/hello/index.ts', new File([text], 'functions/hello/index.ts'))
  const sent = new Response(form)
  const changed = await app.call('POST', api('/apps/drift/functions/deploy'), {
    token,
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    body: new Uint8Array(await sent.arrayBuffer()),
  })
  expect(changed.status).toBe(200)
  expect((await redeploy(id)).json).toMatchObject({ functions: ['hello'] })
  const shape = z.object({
    items: z.array(z.looseObject({ files: z.record(z.string(), z.string()) })),
  })
  const { items } = shape.parse((await get('/apps/drift/functions')).json)
  expect(items.map(({ files: { 'index.ts': code = '' } }) => atob(code))).toEqual([
    files['functions/hello/index.ts'],
  ])
})

it('a deployment without functions leaves those that there are', async () => {
  const plain = await deploy(oneActionApp('mixed', 'plain'))
  await deploy({
    ...oneActionApp('mixed', 'x'),
    'functions/a/index.ts': 'export default () => 1\n',
  })
  expect((await redeploy(plain.deployment_id)).json).toMatchObject({ functions: [] })
  expect((await get('/apps/mixed/functions')).json).toMatchObject({ items: [{ name: 'a' }] })
})

it('of several at once are all in the history, and one is current', async () => {
  const ids: string[] = []
  for (const answer of ['one', 'two', 'three']) {
    ids.push((await deploy(oneActionApp('race', answer))).deployment_id)
  }
  const answers = await Promise.all(ids.slice(0, 2).map((id) => redeploy(id)))
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  const { items } = z
    .object({ items: z.array(z.looseObject({ commit: z.string() })) })
    .parse((await get('/apps/race/history')).json)
  expect(items).toHaveLength(5)
  expect((await get('/apps/race')).json).toMatchObject({ commit: items[0]?.commit })
})

it('needs the right to deploy and a deployment of this workspace', async () => {
  const { deployment_id: id } = await deploy(oneActionApp('guarded'))
  const weak = await app.token(['deployments:read'])
  const refused = await app.call('POST', api(`/deployments/${id}/redeploy`), { token: weak })
  expect(refused.status).toBe(403)
  expect((await redeploy('019abcde-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await redeploy('nonsense')).status).toBe(404)
  expect((await redeploy(id, { messages: 'x' })).status).toBe(400)
})
