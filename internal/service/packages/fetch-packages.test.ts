import { expect, test } from 'vitest'
import { lockFileOf, stubPackage } from '../../../test/support/package-registry.ts'
import { createFetchPackages } from './fetch-packages.ts'

const OWN = '93.184.215.14'

test('a registry at a public address of this machine needs a grant', async () => {
  const fetchPackages = createFetchPackages({
    registry: 'https://npm.example/',
    cache: null,
    ownAddresses: () => [OWN],
  })
  const signed = await stubPackage({ name: '@acme/sign', version: '1.0.0' }, [])
  const files = {
    '.npmrc': `@acme:registry=http://${OWN}:1/`,
    'package-lock.json': lockFileOf([signed]),
    'run.ts': "import '@acme/sign'",
  }
  const app = {
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    owner: 'shop',
    readVariable: async () => null,
    readGrants: async () => [`${OWN}:2`],
  }
  await expect(fetchPackages(app)).rejects.toMatchObject({ code: 'bad_npmrc' })
})
