import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WebhooksPage'),
})
