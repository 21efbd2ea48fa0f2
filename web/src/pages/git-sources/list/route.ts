import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readGitSourcesSearch } from './search.ts'

export const gitSourcesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/git-sources',
  validateSearch: readGitSourcesSearch,
  component: lazyPage(() => import('./page.tsx'), 'GitSourcesPage'),
})
