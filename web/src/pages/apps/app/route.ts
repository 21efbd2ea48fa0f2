import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readAppSearch } from './search.ts'

export const appRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app',
  validateSearch: readAppSearch,
  component: lazyPage(() => import('./page.tsx'), 'AppPage'),
})
