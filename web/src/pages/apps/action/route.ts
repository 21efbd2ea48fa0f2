import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readActionSearch } from './search.ts'

export const actionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/actions/$action',
  validateSearch: readActionSearch,
  component: lazyPage(() => import('./page.tsx'), 'ActionPage'),
})
