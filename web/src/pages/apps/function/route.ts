import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readFunctionSearch } from './search.ts'

export const functionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/apps/$app/functions/$name',
  validateSearch: readFunctionSearch,
  component: lazyPage(() => import('./page.tsx'), 'FunctionPage'),
})
