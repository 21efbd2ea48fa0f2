import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readDraftSearch } from './search.ts'

export const draftRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/drafts/$app',
  validateSearch: readDraftSearch,
  component: lazyPage(() => import('./page.tsx'), 'DraftPage'),
})
