import { expect, test } from 'vitest'
import { bulkKinds, toBulkFilter } from './search.ts'

test.each([
  [{}, []],
  [{ app: 'shop' }, []],
  [{ status: 'failure' }, ['replay']],
  [{ status: 'queued', app: 'shop' }, ['cancel']],
  [{ status: 'failure', trigger: 'webhook' }, []],
] as const)('%o offers %o', (filters, kinds) => {
  expect(bulkKinds(filters)).toEqual(kinds)
})

test('the filter ends now, so that later jobs stay as they are', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z')
  expect(toBulkFilter({ status: 'failure', app: 'shop', span: '1h' }, now)).toEqual({
    status: 'failure',
    app: 'shop',
    since: '2026-11-22T11:00:00.000Z',
    until: '2026-11-22T12:00:00.000Z',
  })
})
