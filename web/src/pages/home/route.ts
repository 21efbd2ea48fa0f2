/** `/ui/` itself: redirects to the workspace that was open last, or else to the first one. */
import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { rootRoute } from '../../app/root-route.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyPage(() => import('./page.tsx'), 'HomePage'),
})
