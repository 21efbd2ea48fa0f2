import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { defined, textParam } from '../../../kit/search.ts'

export const newScheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/new',
  validateSearch: ({ app }: Record<string, unknown>) => defined({ app: textParam(app) }),
  component: lazyPage(() => import('./page.tsx'), 'NewSchedulePage'),
})

export const editScheduleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/schedules/$id/edit',
  component: lazyPage(() => import('./page.tsx'), 'EditSchedulePage'),
})
