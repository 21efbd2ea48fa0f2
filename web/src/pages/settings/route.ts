import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SettingsPage'),
})
