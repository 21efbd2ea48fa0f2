import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

export const accountRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./page.tsx'), 'AccountPage'),
})
