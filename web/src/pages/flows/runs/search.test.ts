import { expect, test } from 'vitest'
import { readFlowRunFilters, toFlowRunQuery } from './search.ts'

test('an address keeps the filters that it may hold, and nothing else', () => {
  expect(readFlowRunFilters({ status: 'open', app: '12', flow: '', span: '2y', x: 1 })).toEqual({
    status: 'open',
    app: '12',
  })
})

test('a choice of dismissed failures is a filter of the API', () => {
  expect(readFlowRunFilters({ status: 'failed', dismissed: 'no' })).toEqual({
    status: 'failed',
    dismissed: 'no',
  })
  expect(toFlowRunQuery({ dismissed: 'no' }, 0).dismissed).toBe('false')
  expect(toFlowRunQuery({ dismissed: 'yes' }, 0).dismissed).toBe('true')
})

test('a label is a filter of the API', () => {
  expect(toFlowRunQuery(readFlowRunFilters({ label: 'order:7' }), 0)).toMatchObject({
    label: 'order:7',
  })
})

test('a span of time goes back from now, to the minute', () => {
  const now = Date.parse('2026-03-01T12:34:56Z')
  expect(toFlowRunQuery({ span: '1h' }, now).since).toBe('2026-03-01T11:34:00.000Z')
  expect(toFlowRunQuery({ status: 'failed' }, now)).toMatchObject({
    status: 'failed',
    since: undefined,
  })
})
