import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const gitSourceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/git-sources/$id',
  component: lazyPage(() => import('./page.tsx'), 'GitSourcePage'),
})
