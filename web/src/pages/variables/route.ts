import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readSecretsSearch } from './search.ts'

export const variablesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/variables',
  validateSearch: readSecretsSearch,
  component: lazyPage(() => import('./page.tsx'), 'VariablesPage'),
})
