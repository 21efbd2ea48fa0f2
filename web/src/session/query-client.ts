/** The query cache. Temporary errors are retried while the page is open; a refusal is shown at once. */
import { QueryClient } from '@tanstack/react-query'
import { mayPass } from './api.ts'
import { onReturn } from './connection.ts'

const FRESH_MS = 2_000
const MOST_WAIT_MS = 5_000
const TRIES = 3

export const queryClient = new QueryClient({
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

onReturn(() => void queryClient.invalidateQueries())
