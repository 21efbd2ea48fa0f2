/** The query cache. Temporary errors are retried while the page is open; a refusal is shown at once. */
import { notifyManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { onReturn } from '../browser/connection.ts'
import { mayPass } from '../ui/retry.ts'
import { isUnauthenticated } from './api.ts'

const FRESH_MS = 2_000
const MOST_WAIT_MS = 5_000
const TRIES = 3

// by default a timer, which may run only after the second click of a double click has found the button enabled
notifyManager.setScheduler(queueMicrotask)

/** The query of the signed-in person (session.ts), whose refusal leads to the sign-in page. */
export const ME_KEY = ['me'] as const

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // the session has ended: without this, open lists would only stop changing
    onError: (error, { queryKey }) => {
      if (isUnauthenticated(error) && queryKey[0] !== ME_KEY[0]) {
        void queryClient.invalidateQueries({ queryKey: ME_KEY })
      }
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // the browser's offline state does not apply to a server on this machine
      networkMode: 'always',
      retry: (failures, error) => mayPass(error) && failures < TRIES,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, MOST_WAIT_MS),
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** The last errors of queries without data. */
const lastErrors = new WeakMap<Query, Error>()

// a query without data forgets its error at each new try, so a page that polls would alternate between error and loading
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { query, action } = event
  const { data, error } = query.state
  const last = lastErrors.get(query)
  if (action.type === 'fetch' && data === undefined && last !== undefined) {
    query.setState({ status: 'error', error: last })
  } else if (error !== null && !isUnauthenticated(error)) {
    lastErrors.set(query, error)
  } else {
    lastErrors.delete(query)
  }
})

onReturn(() => void queryClient.invalidateQueries())

/**
 * Removes all data of the person who was signed in. The settings of the server are the same for all people. The sign-in page may
 * wait for them already, and would never get the answer of a removed query.
 */
export const forgetPerson = (): void => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' })
  queryClient.getMutationCache().clear()
}
