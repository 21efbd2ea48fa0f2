import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readAppSearch } from './search.ts'

export const appRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app',
  validateSearch: readAppSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'AppPage'),
})
