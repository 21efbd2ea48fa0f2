import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readScheduleFilters } from './search.ts'

export const schedulesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules',
  validateSearch: readScheduleFilters,
  component: lazyPage(() => import('./page.tsx'), 'SchedulesPage'),
})
