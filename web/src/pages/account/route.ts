import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { rootRoute, workspaceRoute } from '../../app/root-route.ts'

export const accountRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/account',
  component: lazyPage(() => import('./page.tsx'), 'AccountPage'),
})

/** For a person without a workspace. */
export const accountAloneRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyPage(() => import('./page-alone.tsx'), 'AccountAlone'),
})
