import { afterEach, expect, test, vi } from 'vitest'
import { sql } from '#store/sql.ts'
import { deployActions } from '../../../test/support/deploy-action.ts'
import { BY, WS } from '../../../test/support/open-queue.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { type BatchItem, enqueueBatch } from './enqueue-batch.ts'
import { enqueueDepsOf } from './enqueue-job.ts'

const place = await workspaceForFile()
afterEach(() => vi.restoreAllMocks())

/** A check by it takes too many steps for the event loop, so a thread checks. */
const doubling = (doublings: number) => ({
  $defs: Object.fromEntries(
    Array.from({ length: doublings + 1 }, (_, n) => [
      `d${n}`,
      n === 0
        ? { type: 'object' }
        : { allOf: [`d${n - 1}`, `d${n - 1}`].map((at) => ({ $ref: `#/$defs/${at}` })) },
    ]),
  ),
  $ref: `#/$defs/d${doublings}`,
})

const itemOf = (action: string, n: number) => ({
  ws: WS,
  app: 'shop',
  action,
  input: { n },
  inputJson: JSON.stringify({ n }),
  triggerKind: 'api' as const,
  createdBy: BY,
  permissionedAs: BY,
})

test('a batch whose inputs take long to check is refused after 30 s', async () => {
  await deployActions(place.deps, [{ ws: WS, app: 'shop', key: 'slow', inputSchema: doubling(17) }])
  let checks = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + checks * 400)
  const deps = enqueueDepsOf(place.deps)
  const checkInput = async () => {
    checks += 1
    return []
  }
  const items = Array.from({ length: 1_000 }, (_, n) => itemOf('slow', n))
  const manifests = { ...deps.manifests, checkInput }
  await expect(enqueueBatch({ ...deps, manifests }, WS, items)).rejects.toMatchObject({
    code: 'batch_too_slow',
  })
  expect(checks).toBeLessThan(100)
  expect(await place.deps.db.one(sql`SELECT count(*) AS count FROM jobs`)).toEqual({ count: 0 })
})

test('a repeated item gets its first job, whatever is deployed since', async () => {
  const keep = { ws: WS, app: 'shop', key: 'keep' }
  await deployActions(place.deps, [keep, { ...keep, key: 'removed' }])
  const items = ['removed', 'keep'].map((action, n) => ({
    ...itemOf(action, n),
    idempotency: { credential: 'c', route: action, key: 'k', bodyHash: 'h' },
  }))
  const first = await enqueueBatch(enqueueDepsOf(place.deps), WS, items)
  await deployActions(place.deps, [keep])
  const repeat = (...more: readonly BatchItem[]) =>
    enqueueBatch(enqueueDepsOf(place.deps), WS, [...items, ...more])
  expect(first.queued).toBe(2)
  expect(await repeat()).toEqual({ ids: first.ids, queued: 0 })
  expect(await repeat(itemOf('keep', 3))).toEqual({
    ids: [...first.ids, expect.any(String)],
    queued: 1,
  })
  await expect(repeat(itemOf('removed', 4))).rejects.toMatchObject({ code: 'action_not_found' })
})
