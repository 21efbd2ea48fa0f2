import { expect, test } from 'vitest'
import { readAuditFilters, toAuditQuery } from './search.ts'

test('invalid values of the address are left out', () => {
  expect(readAuditFilters({ actor: '', action: true, span: '5y' })).toEqual({})
  expect(readAuditFilters({ actor: 'a@b.c', action: 'token.revoked', span: '24h' })).toEqual({
    actor: 'a@b.c',
    action: 'token.revoked',
    span: '24h',
  })
})

test('a span counts back from now, to the minute', () => {
  const now = Date.parse('2026-11-21T12:00:42.123Z')
  expect(toAuditQuery({ span: '24h' }, now).since).toBe('2026-11-20T12:00:00.000Z')
  expect(toAuditQuery({}, now).since).toBeUndefined()
})
