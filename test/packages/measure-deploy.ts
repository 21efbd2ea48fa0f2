/** Measures deployments of an app with five dependencies, by their lock file from npm's registry: `node test/packages/measure-deploy.ts`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createPackageCache } from '#bundle/package-cache.ts'
import { createFetchPackages } from '#service/packages/fetch-packages.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { createTestApp, WS } from '../support/create-test-app.ts'

const NAMES = ['pg', 'pino', 'axios', 'ioredis', '@slack/web-api']

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'project', name), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'svc-measure-'))
const app = await createTestApp({
  fetchPackages: createFetchPackages({
    registry: 'https://registry.npmjs.org/',
    cache: createPackageCache({ folder, maxBytes: 500_000_000 }),
  }),
})
const token = await app.token(['deployments:write'])
const imports = NAMES.map((name, at) => `import * as p${at} from '${name}'`).join('\n')
const names = NAMES.map((_, at) => `p${at}`).join(', ')

for (const round of ['cold', 'warm', 'warm']) {
  const upload = await toUpload(
    await packApp({
      'app.yaml': 'key: five\nname: Five\nactions:\n  - { key: run, entrypoint: run.ts }\n',
      'package.json': read('package.json'),
      'package-lock.json': read('package-lock.json'),
      'run.ts': `${imports}\nexport const main = () => [${names}, ${performance.now()}].length\n`,
    }),
  )
  const before = performance.now()
  const { status } = await app.call('POST', `/api/w/${WS}/deployments`, { token, ...upload })
  process.stdout.write(`${round}: ${status}, ${Math.round(performance.now() - before)} ms\n`)
}
await app.close()
rmSync(folder, { recursive: true, force: true })
process.exit()
