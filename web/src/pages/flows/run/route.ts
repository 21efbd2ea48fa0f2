import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readRunSearch } from './search.ts'

export const flowRunRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flow-runs/$id',
  validateSearch: readRunSearch,
  component: lazyPage(() => import('./page.tsx'), 'FlowRunPage'),
})
