import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.ts'

/** Where to go on to: an address within the console, and nothing that a browser reads as another site's. */
const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])[^\\]*$/.test(value) ? value : undefined

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = ownPath(search.next)
    return next === undefined ? {} : { next }
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
})
