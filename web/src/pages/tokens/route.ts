import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readOpen } from '../../kit/search.ts'

export const tokensRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tokens',
  validateSearch: readOpen,
  component: lazyPage(() => import('./page.tsx'), 'TokensPage'),
})
