import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'
import { readOpen } from '../../kit/search.ts'

export const notificationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/notifications',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./page.tsx'), 'NotificationsPage'),
})
