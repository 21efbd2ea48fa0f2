import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const flowsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flows',
  component: lazyRouteComponent(() => import('./page.tsx'), 'FlowsPage'),
})
