import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const compareRunsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs/$id/compare/$other',
  component: lazyPage(() => import('./page.tsx'), 'CompareRunsPage'),
})
