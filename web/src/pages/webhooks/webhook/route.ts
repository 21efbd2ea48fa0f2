import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const webhookRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks/$app/$key',
  component: lazyPage(() => import('./page.tsx'), 'WebhookPage'),
})
