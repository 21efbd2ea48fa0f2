import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

export const certificatesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/certificates',
  component: lazyRouteComponent(() => import('./page.tsx'), 'CertificatesPage'),
})
