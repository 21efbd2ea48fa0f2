import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readAuditFilters } from '../../audit/search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/audit',
  validateSearch: readAuditFilters,
  component: lazyPage(() => import('./page.tsx'), 'AuditPage'),
})
