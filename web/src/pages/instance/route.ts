import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readInstanceSearch } from './search.ts'

export const instanceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/instance',
  validateSearch: readInstanceSearch,
  component: lazyPage(() => import('./page.tsx'), 'InstancePage'),
})
