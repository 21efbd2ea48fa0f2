import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readScheduleFilters } from './search.ts'

export const schedulesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules',
  validateSearch: readScheduleFilters,
  component: lazyRouteComponent(() => import('./page.tsx'), 'SchedulesPage'),
})
