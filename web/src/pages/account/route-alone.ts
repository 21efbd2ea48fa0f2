import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { rootRoute } from '../../app/root-route.ts'

/** For a person without a workspace. */
export const accountAloneRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyPage(() => import('./page-alone.tsx'), 'AccountAlone'),
})
