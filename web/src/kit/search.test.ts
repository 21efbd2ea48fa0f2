import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { defined, formatQuery, hidingUnread, parseQuery, textParam, timeParam } from './search.ts'

const read = ({ since, label }: Record<string, unknown>) =>
  defined({ since: timeParam(since), label: textParam(label) })

/** @returns what a page of the router gets of this address */
const searchOf = (address: string): unknown => {
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/jobs',
    validateSearch: hidingUnread(read),
  })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history,
    parseSearch: parseQuery,
    stringifySearch: formatQuery,
  })
  return router.matchRoutes(router.latestLocation).at(-1)?.search
}

test('a page never gets values of its address that it does not understand', () => {
  expect(searchOf('/jobs?since=bad&other=1')).toEqual({})
  expect(searchOf('/jobs?since=2026-01-02')).toEqual({ since: '2026-01-02T00:00:00.000Z' })
})

test.each([
  '1.10',
  '007',
  '1e3',
  'true',
  'null',
  '[1]',
  '{"a":1}',
  '"quoted"',
  '"open',
  ' 1 ',
  '+1',
  '&=',
])('the text %s in an address stays as it is', (label) => {
  const typed = `/jobs?label=${encodeURIComponent(label)}`
  if (label !== '"quoted"') expect(searchOf(typed)).toEqual({ label })
  expect(searchOf(`/jobs${formatQuery({ label, run: undefined })}`)).toEqual({ label })
})

test('an older link, with a number in quotation marks, has the same text', () => {
  expect(searchOf('/jobs?label=%221.10%22')).toEqual({ label: '1.10' })
  expect(formatQuery({ label: '1.10', start: true })).toBe('?label=1.10&start=true')
  expect(formatQuery({})).toBe('')
})
