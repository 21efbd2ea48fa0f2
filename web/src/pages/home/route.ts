/** `/ui/` itself: redirects to the workspace that was open last, or else to the first one. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./page.tsx'), 'HomePage'),
})
