import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readScheduleSearch } from './search.ts'

export const scheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/$id',
  validateSearch: readScheduleSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'SchedulePage'),
})
