import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readGitSourcesSearch } from './search.ts'

export const gitSourcesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/git-sources',
  validateSearch: readGitSourcesSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'GitSourcesPage'),
})
