import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFlowSearch } from './search.ts'

export const flowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flows/$app/$flow',
  validateSearch: readFlowSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'FlowPage'),
})
