import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFlowRunFilters } from './search.ts'

export const flowRunsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs',
  validateSearch: readFlowRunFilters,
  component: lazyRouteComponent(() => import('./page.tsx'), 'FlowRunsPage'),
})
