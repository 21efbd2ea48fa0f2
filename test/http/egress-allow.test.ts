/** Private destinations by grant, over HTTP: a super admin sets them, and each deployment of an app checks them [jobs 16.3, 16.4]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, type TestAnswer, type TestApp } from '../support/create-test-app.ts'

const LIMITS = '/api/admin/workspaces/shop'
let app: TestApp
let root: string
let writer: string

beforeAll(async () => {
  app = await createTestApp()
  root = await app.token(['*'])
  await app.call('POST', '/api/admin/workspaces', { token: root, json: { id: 'shop', name: 'S' } })
  writer = await app.token(['deployments:write', 'workspace:write'], { ws: 'shop' })
})
afterAll(() => app.close())

const grant = (egress_allow: readonly string[] | null, token = root): Promise<TestAnswer> =>
  app.call('PATCH', LIMITS, { token, json: { egress_allow } })

const deploy = async (network: string, ofFunction = network): Promise<TestAnswer> => {
  const archive = await packApp({
    'app.yaml': `key: tasks\nname: Tasks\nactions:\n  - { key: sum, entrypoint: sum.ts, network: ${network} }\n`,
    'sum.ts': `export const main = () => '${network}'`,
    'functions/now/index.ts': 'export default () => 1',
    'functions/now/function.yaml': `network: ${ofFunction}\n`,
  })
  return app.call('POST', '/api/w/shop/deployments', {
    ...(await toUpload(archive)),
    token: writer,
  })
}

describe('egress_allow of a workspace', () => {
  it('is set and read by a super admin, and is in the audit log', async () => {
    expect((await grant(['db.internal:5432'], writer)).status).toBe(403)
    expect(await grant(['db.internal:5432', '10.1.0.0/16'])).toMatchObject({
      status: 200,
      json: { egress_allow: ['db.internal:5432', '10.1.0.0/16'] },
    })
    const admin = await app.token(['*'], { ws: 'shop' })
    const audit = await app.call('GET', '/api/w/shop/audit', { token: admin })
    expect(audit.text).toContain('workspace.egress_allow_set')
    expect(audit.text).toContain('db.internal:5432, 10.1.0.0/16')
    expect(await grant(null)).toMatchObject({ status: 200, json: { egress_allow: null } })
  })

  it.each(['db:0', '127.1', 'http://db', '*.internal', ''])('refuses %j', async (text) => {
    expect(await grant([text])).toMatchObject({ status: 400 })
  })
})

describe('a deployment that names a private destination', () => {
  it('is refused while nothing grants it, with the place and the remedy', async () => {
    await grant(null)
    const refused = await deploy('[10.1.0.7:5432]', '[]')
    expect(refused).toMatchObject({ status: 422, json: { code: 'bad_manifest' } })
    expect(refused.text).toContain('app.yaml:4')
    expect(refused.text).toContain('egress_allow')
    const ofFunction = await deploy('[]', '["localhost:5432"]')
    expect(ofFunction).toMatchObject({ status: 422, json: { code: 'bad_function' } })
    expect(ofFunction.text).toContain('functions/now/function.yaml')
  })

  it('is taken when the workspace grants it, and names are left to the run', async () => {
    await grant(['10.1.0.0/16:5432', '127.0.0.1:5432'])
    expect(await deploy('[10.1.0.7:5432, db.internal]', '["localhost:5432"]')).toMatchObject({
      status: 201,
    })
    expect((await deploy('[10.1.0.7:5433]')).status).toBe(422)
    expect((await deploy('["169.254.169.254"]')).status).toBe(422)
  })
})
