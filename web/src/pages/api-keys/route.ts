import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

/** `open`: the id of the key whose details are shown. */
export type ApiKeySearch = Readonly<{ open?: string }>

export const apiKeysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/api-keys',
  validateSearch: ({ open }: Record<string, unknown>): ApiKeySearch =>
    typeof open === 'string' ? { open } : {},
  component: lazyRouteComponent(() => import('./page.tsx'), 'ApiKeysPage'),
})
