import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readDraftSearch } from './search.ts'

export const draftRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/drafts/$app',
  validateSearch: readDraftSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'DraftPage'),
})
