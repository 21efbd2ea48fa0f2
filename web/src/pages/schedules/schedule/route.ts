import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { readScheduleSearch } from './search.ts'

export const scheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/$id',
  validateSearch: readScheduleSearch,
  component: lazyPage(() => import('./page.tsx'), 'SchedulePage'),
})
