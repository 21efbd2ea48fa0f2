import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { rootRoute } from '../../app/root-route.ts'

/** Validates the path to continue to: it must be in the console, and no browser may read it as an address of another site. */
const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])[^\\]*$/.test(value) ? value : undefined

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; ended?: true } => {
    const next = ownPath(search.next)
    return {
      ...(next === undefined ? {} : { next }),
      ...(search.ended === true ? { ended: true } : {}),
    }
  },
  component: lazyPage(() => import('./page.tsx'), 'SignInPage'),
})
