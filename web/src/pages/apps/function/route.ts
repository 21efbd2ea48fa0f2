import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFunctionSearch } from './search.ts'

export const functionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/functions/$name',
  validateSearch: readFunctionSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'FunctionPage'),
})
