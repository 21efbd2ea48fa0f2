import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readOpen } from '../../kit/search.ts'

export const tokensRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tokens',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./page.tsx'), 'TokensPage'),
})
