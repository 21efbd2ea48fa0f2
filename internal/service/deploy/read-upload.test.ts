/** The turns of uploads; what they contain is tested in test/http. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WS } from '../../../test/support/open-queue.ts'
import { openTestWorkspace, type TestWorkspace } from '../../../test/support/test-workspace.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import { readForPlan } from './read-upload.ts'

let place: TestWorkspace
beforeAll(async () => {
  place = await openTestWorkspace()
})
afterAll(() => place.close())

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
