import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

/** `open`: the id of the token whose details are shown. */
export type TokenSearch = Readonly<{ open?: string }>

export const tokensRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/tokens',
  validateSearch: ({ open }: Record<string, unknown>): TokenSearch =>
    typeof open === 'string' ? { open } : {},
  component: lazyRouteComponent(() => import('./page.tsx'), 'TokensPage'),
})
