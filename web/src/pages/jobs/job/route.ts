import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readJobSearch } from './search.ts'

export const jobRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/jobs/$id',
  validateSearch: readJobSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'JobPage'),
})
