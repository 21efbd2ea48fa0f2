import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readOpen } from '../../../kit/search.ts'

export const operationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/operations',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./page.tsx'), 'OperationsPage'),
})
