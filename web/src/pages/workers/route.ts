import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { readWindow } from '../../figures/windows.ts'
import { defined } from '../../kit/search.ts'

export const workersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/workers',
  validateSearch: ({ span }: Record<string, unknown>) => defined({ span: readWindow(span) }),
  component: lazyPage(() => import('./page.tsx'), 'WorkersPage'),
})
