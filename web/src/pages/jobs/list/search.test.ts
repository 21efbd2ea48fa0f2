import { expect, test } from 'vitest'
import { bulkKinds, isFolded, selectedKinds, toBulkFilter, toJobQuery } from './search.ts'

test.each([
  [{}, []],
  [{ app: 'shop' }, []],
  [{ status: 'failure' }, ['replay']],
  [{ status: 'queued', app: 'shop' }, ['cancel']],
  [{ status: 'failure', trigger: 'webhook' }, ['replay']],
] as const)('%o offers %o', (filters, kinds) => {
  expect(bulkKinds(filters)).toEqual(kinds)
})

test.each([
  [{}, ['failure', 'success'], ['replay']],
  [{}, ['running', 'canceled'], ['replay', 'cancel']],
  [{ status: 'queued' }, ['queued'], ['cancel']],
  [{}, null, ['replay', 'cancel']],
  [{ status: 'running' }, null, ['cancel']],
] as const)('%o with %o selected offers %o', (filters, statuses, kinds) => {
  expect(selectedKinds(filters, statuses)).toEqual(kinds)
})

test('the filter leaves out what was dismissed where the view does', () => {
  const filters = { status: 'failure', dismissed: 'no' } as const
  expect(toBulkFilter(filters, 0)).toMatchObject({ status: 'failure', dismissed: false })
  expect(toJobQuery(filters, 0)).toMatchObject({ status: 'failure', dismissed: 'false' })
})

test('a queued job waits for a worker, and a suspended one for a step', () => {
  const queued = { status: 'queued' } as const
  expect(toJobQuery(queued, 0)).toMatchObject({ status: 'queued', suspended: 'false' })
  expect(toBulkFilter(queued, 0)).toMatchObject({ status: 'queued', suspended: false })
  const suspended = { status: 'suspended' } as const
  expect(toJobQuery(suspended, 0)).toMatchObject({ status: 'queued', suspended: 'true' })
  expect(toBulkFilter(suspended, 0)).toMatchObject({ status: 'queued', suspended: true })
  expect([queued, suspended].map(isFolded)).toEqual([false, false])
})

test('a label lists jobs one by one, and selects those of a bulk operation', () => {
  const filters = { label: 'customer:42' }
  expect(isFolded(filters)).toBe(false)
  expect(toJobQuery(filters, 0)).toMatchObject(filters)
  expect(toBulkFilter(filters, 0)).toMatchObject(filters)
})

test('the filter ends now, so that later jobs stay as they are', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z')
  expect(toBulkFilter({ status: 'failure', app: 'shop', trigger: 'api', span: '1h' }, now)).toEqual(
    {
      status: 'failure',
      app: 'shop',
      trigger_kind: 'api',
      since: '2026-11-22T11:00:00.000Z',
      until: '2026-11-22T12:00:00.000Z',
    },
  )
})
