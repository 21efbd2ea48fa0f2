import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readDraftsSearch } from './search.ts'

export const draftsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/drafts',
  validateSearch: readDraftsSearch,
  component: lazyPage(() => import('./page.tsx'), 'DraftsPage'),
})
