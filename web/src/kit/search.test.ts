import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { defined, hidingUnread, timeParam } from './search.ts'

const read = ({ since }: Record<string, unknown>) => defined({ since: timeParam(since) })

/** @returns what a page of the router gets of this address */
const searchOf = (address: string): unknown => {
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/jobs',
    validateSearch: hidingUnread(read),
  })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([page]), history })
  return router.matchRoutes(router.latestLocation).at(-1)?.search
}

test('a page never gets values of its address that it does not understand', () => {
  expect(searchOf('/jobs?since=bad&other=1')).toEqual({})
  expect(searchOf('/jobs?since=2026-01-02')).toEqual({ since: '2026-01-02T00:00:00.000Z' })
})
