import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const customersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/customers',
  component: lazyPage(() => import('./page.tsx'), 'CustomersPage'),
})
