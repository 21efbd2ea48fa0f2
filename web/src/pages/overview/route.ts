import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readOverviewSearch } from './search.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyPage(() => import('./page.tsx'), 'OverviewPage'),
})
