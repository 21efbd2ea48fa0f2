import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const customersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/customers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'CustomersPage'),
})
