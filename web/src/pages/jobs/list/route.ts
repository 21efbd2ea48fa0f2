import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readJobFilters } from './search.ts'

export const jobsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/jobs',
  validateSearch: readJobFilters,
  component: lazyRouteComponent(() => import('./page.tsx'), 'JobsPage'),
})
