import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readApprovalsSearch } from './search.ts'

export const approvalsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/approvals',
  validateSearch: readApprovalsSearch,
  component: lazyPage(() => import('./page.tsx'), 'ApprovalsPage'),
})
