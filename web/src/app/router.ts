/** The router. Its base is /ui, so that it covers no address of the API, of functions or of hosted pages. */
import { createRouter } from '@tanstack/react-router'
import { formatQuery, hidingUnread, parseQuery } from '../kit/search.ts'
import { routeTree } from '../routes.ts'
import { Loading } from '../ui/notice.tsx'

export const router = createRouter({
  routeTree,
  basepath: '/ui',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  // data is in the query cache; the router loads only code
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch: parseQuery,
  stringifySearch: formatQuery,
})

for (const { options } of Object.values(router.routesById)) {
  const { validateSearch: read } = options
  if (typeof read === 'function') options.validateSearch = hidingUnread(read)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
