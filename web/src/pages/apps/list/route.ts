import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const appsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('./page.tsx'), 'AppsPage'),
})
