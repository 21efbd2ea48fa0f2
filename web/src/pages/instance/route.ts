import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readInstanceSearch } from './search.ts'

export const instanceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/instance',
  validateSearch: readInstanceSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'InstancePage'),
})
