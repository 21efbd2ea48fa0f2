import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyPage(() => import('./page.tsx'), 'SettingsPage'),
})
