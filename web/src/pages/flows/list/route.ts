import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const flowsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flows',
  component: lazyPage(() => import('./page.tsx'), 'FlowsPage'),
})
