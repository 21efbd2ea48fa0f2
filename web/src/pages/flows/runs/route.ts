import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFlowRunFilters } from './search.ts'

export const flowRunsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs',
  validateSearch: readFlowRunFilters,
  component: lazyPage(() => import('./page.tsx'), 'FlowRunsPage'),
})
