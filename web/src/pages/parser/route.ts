import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'

export const parserRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/parser',
  component: lazyPage(() => import('./page.tsx'), 'ParserPage'),
})
