import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const appsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps',
  component: lazyPage(() => import('./page.tsx'), 'AppsPage'),
})
