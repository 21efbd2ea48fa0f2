import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readOpen } from '../../kit/search.ts'

export const apiKeysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/api-keys',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./page.tsx'), 'ApiKeysPage'),
})
