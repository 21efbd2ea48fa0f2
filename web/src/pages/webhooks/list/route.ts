import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/webhooks',
  component: lazyPage(() => import('./page.tsx'), 'WebhooksPage'),
})
