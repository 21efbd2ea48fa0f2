/** The turns of uploads; what they contain is tested in test/http. */
import { expect, test } from 'vitest'
import { packApp } from '../../../test/support/bundle-archive.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { readForDeployment, readForPlan } from './read-upload.ts'

const place = await workspaceForFile()

test('an upload does not wait for all those of another workspace', async () => {
  const policy = await deployPolicyOf(place.deps, WS)
  const fetchPackages = () => Promise.reject(new Error('No upload gets that far.'))
  const refused: string[] = []
  const upload = (ws: string): Promise<unknown> =>
    readForPlan({ ...place.deps, fetchPackages }, { ws, archive: new Uint8Array(9) }, policy).catch(
      () => refused.push(ws),
    )
  await Promise.all(['many', 'many', 'many', 'one'].map(upload))
  expect(refused).toEqual(['many', 'many', 'one', 'many'])
})

test('an app whose actions share a large library is bundled once for its plan and its deployment', async () => {
  const policy = await deployPolicyOf(place.deps, WS)
  const keys = Array.from({ length: 18 }, (_, at) => `a${at}`)
  const archive = await packApp({
    'app.yaml': `key: large\nactions:\n${keys.map((key) => `  - { key: ${key}, entrypoint: ${key}.ts }\n`).join('')}`,
    'library.ts': `export const text = '${Array.from({ length: 110_000 }, (_, at) => `text of line ${at}`).join('')}'`,
    ...Object.fromEntries(
      keys.map((key) => [
        `${key}.ts`,
        `import { text } from './library.ts'\nexport const main = () => '${key}' + text`,
      ]),
    ),
  })
  const deps = { ...place.deps, fetchPackages: async () => [] }
  const planned = await readForPlan(deps, { ws: WS, archive }, policy)
  const codes = planned.entries.reduce((sum, { codeLength }) => sum + codeLength, 0)
  expect(codes).toBeGreaterThan(32 * 1_024 * 1_024)
  expect(await readForDeployment(deps, { ws: WS, archive }, policy)).toBe(planned)
})
