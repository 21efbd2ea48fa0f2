import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

/** `open`: the id of the key whose details are shown. */
export type CustomerSearch = Readonly<{ tab?: 'keys'; open?: string }>

export const customerRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/customers/$id',
  validateSearch: ({ tab, open }: Record<string, unknown>): CustomerSearch => ({
    ...(tab === 'keys' ? { tab } : {}),
    ...(typeof open === 'string' ? { open } : {}),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'CustomerPage'),
})
