import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const webhookRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$app/$key',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WebhookPage'),
})
