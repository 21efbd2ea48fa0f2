import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const compareRunsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs/$id/compare/$other',
  component: lazyRouteComponent(() => import('./page.tsx'), 'CompareRunsPage'),
})
