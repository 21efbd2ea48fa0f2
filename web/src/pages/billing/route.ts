import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readBillingSearch } from './search.ts'

export const billingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing',
  validateSearch: readBillingSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'BillingPage'),
})
