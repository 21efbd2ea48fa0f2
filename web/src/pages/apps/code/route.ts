import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readCodeSearch } from './search.ts'

export const codeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/code',
  validateSearch: readCodeSearch,
  component: lazyPage(() => import('./page.tsx'), 'CodePage'),
})
