import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readJobFilters } from './search.ts'

export const jobsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/jobs',
  validateSearch: readJobFilters,
  component: lazyPage(() => import('./page.tsx'), 'JobsPage'),
})
