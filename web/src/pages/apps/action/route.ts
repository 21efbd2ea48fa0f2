import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readActionSearch } from './search.ts'

export const actionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/actions/$action',
  validateSearch: readActionSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'ActionPage'),
})
