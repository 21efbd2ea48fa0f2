import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFlowSearch } from './search.ts'

export const flowRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/flows/$app/$flow',
  validateSearch: readFlowSearch,
  component: lazyPage(() => import('./page.tsx'), 'FlowPage'),
})
