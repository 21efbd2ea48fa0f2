import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readSecretsSearch } from './search.ts'

export const variablesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/variables',
  validateSearch: readSecretsSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'VariablesPage'),
})
