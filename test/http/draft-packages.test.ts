/** What checking a draft sends to the registries that its .npmrc names. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GrantedScope } from '#core/access/scope.ts'
import type { JsonObject } from '#core/json/value.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import {
  lockFileOf,
  type PackageRegistry,
  startPackageRegistry,
  stubPackage,
} from '../support/package-registry.ts'

const SECRET = 'the-secret'

let registry: PackageRegistry
let app: TestApp
beforeAll(async () => {
  registry = await startPackageRegistry()
  app = await createTestApp({
    fetchPackages: createFetchPackages({ registry: registry.url, cache: null }),
  })
})
afterAll(async () => {
  await app.close()
  await registry.close()
})

const call = async (
  method: string,
  path: string,
  scopes: readonly GrantedScope[],
  json?: JsonObject,
) =>
  app.call(method, path, {
    token: await app.token(scopes),
    ...(json === undefined ? {} : { json }),
  })

const hasSecret = (): boolean =>
  registry.requests.some(({ authorization }) => authorization?.includes(SECRET) === true)

test('a variable is sent only for a caller who may deploy', async () => {
  const sign = await stubPackage({ name: '@acme/sign', version: '2.1.0' }, [
    { header: { name: 'package/index.js' }, content: "exports.sign = '!'\n" },
  ])
  registry.add(sign)
  const { host } = new URL(registry.url)
  await call('PATCH', `/api/admin/workspaces/${WS}`, ['*'], { egress_allow: [host] })
  await call('PUT', `/api/w/${WS}/variables/KEY`, ['*'], { value: SECRET })
  const files = {
    'app.yaml': 'key: shop\nname: Shop\nactions:\n  - { key: run, entrypoint: run.ts }\n',
    'run.ts': "import { sign } from '@acme/sign'\nexport const main = () => sign\n",
    'package.json': JSON.stringify({ dependencies: { '@acme/sign': '2.1.0' } }),
    'package-lock.json': lockFileOf([sign]),
    '.npmrc': `@acme:registry=${registry.url}\n//${host}/:_authToken=$\{KEY}\n`,
  }
  const draft = `/api/w/${WS}/drafts/shop`
  expect((await call('PUT', draft, ['drafts:write'], { files })).status).toBe(200)

  const refused = await call('POST', `${draft}/check`, ['drafts:write'])
  expect(refused.text).toContain('takes a token from the variable KEY')
  expect(hasSecret()).toBe(false)

  const checked = await call('POST', `${draft}/check`, ['drafts:write', 'deployments:write'])
  expect(checked.json).toMatchObject({ faults: [] })
  expect(hasSecret()).toBe(true)
})
