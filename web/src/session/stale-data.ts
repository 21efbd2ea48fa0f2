/** Whether the page shows data that could not be read again. Pages keep such data, and the frame marks it. */
import type { Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isUnauthenticated } from './api.ts'
import { queryClient } from './query-client.ts'

const cache = queryClient.getQueryCache()

/** When lists could not load more rows, which they say themselves. */
const failedMore = new WeakMap<Query, number>()

const isStale = (query: Query): boolean => {
  const { data, status, error, errorUpdatedAt, fetchMeta } = query.state
  if (!query.isActive() || data === undefined || status !== 'error') return false
  if (fetchMeta?.fetchMore !== undefined) failedMore.set(query, errorUpdatedAt)
  // an ended session leads to the sign-in page
  return failedMore.get(query) !== errorUpdatedAt && !isUnauthenticated(error)
}

const firstError = (): Error | null => cache.getAll().find(isStale)?.state.error ?? null

/** Why data of this page could not be read again, or null if all of it could. */
export const useStaleError = (): Error | null => useSyncExternalStore(cache.subscribe, firstError)

export const readStaleAgain = (): void =>
  void queryClient.refetchQueries({ predicate: (query) => isStale(query) })
