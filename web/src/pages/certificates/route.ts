import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'

export const certificatesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/certificates',
  component: lazyPage(() => import('./page.tsx'), 'CertificatesPage'),
})
