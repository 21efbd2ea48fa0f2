import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readDraftsSearch } from './search.ts'

export const draftsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/drafts',
  validateSearch: readDraftsSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'DraftsPage'),
})
