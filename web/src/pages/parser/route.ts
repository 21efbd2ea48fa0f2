import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

export const parserRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/parser',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ParserPage'),
})
