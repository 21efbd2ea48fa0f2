import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readJobSearch } from './search.ts'

export const jobRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/jobs/$id',
  validateSearch: readJobSearch,
  component: lazyPage(() => import('./page.tsx'), 'JobPage'),
})
