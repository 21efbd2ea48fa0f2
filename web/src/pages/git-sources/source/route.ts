import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const gitSourceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/git-sources/$id',
  component: lazyRouteComponent(() => import('./page.tsx'), 'GitSourcePage'),
})
