import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readAuditFilters } from '../../audit/search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('./page.tsx'), 'AuditPage'),
})
