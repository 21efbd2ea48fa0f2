import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readCodeSearch } from './search.ts'

export const codeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/code',
  validateSearch: readCodeSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'CodePage'),
})
