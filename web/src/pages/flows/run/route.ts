import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readRunSearch } from './search.ts'

export const flowRunRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs/$id',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'FlowRunPage'),
})
