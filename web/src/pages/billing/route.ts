import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readBillingSearch } from './search.ts'

export const billingRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/billing',
  validateSearch: readBillingSearch,
  component: lazyPage(() => import('./page.tsx'), 'BillingPage'),
})
