import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { rootRoute } from '../../app/root-route.ts'
import { defined, flagParam } from '../../kit/search.ts'

/** Validates the path to continue to: it must be in the console, and no browser may read it as an address of another site. */
const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])[^\\]*$/.test(value) ? value : undefined

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, ended }: Record<string, unknown>): { next?: string; ended?: true } =>
    defined({ next: ownPath(next), ended: flagParam(ended) }),
  component: lazyPage(() => import('./page.tsx'), 'SignInPage'),
})
