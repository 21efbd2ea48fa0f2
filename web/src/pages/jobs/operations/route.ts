import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readOpen } from '../../../kit/search.ts'

export const operationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/operations',
  validateSearch: readOpen,
  component: lazyPage(() => import('./page.tsx'), 'OperationsPage'),
})
