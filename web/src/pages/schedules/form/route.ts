import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'

export const newScheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/new',
  component: lazyRouteComponent(() => import('./page.tsx'), 'NewSchedulePage'),
})

export const editScheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/$id/edit',
  component: lazyRouteComponent(() => import('./page.tsx'), 'EditSchedulePage'),
})
