import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

export const workersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WorkersPage'),
})
