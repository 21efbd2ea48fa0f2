import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../../app/lazy-page.ts'
import { workspaceRoute } from '../../../app/root-route.ts'
import { defined, oneOf, readOpen } from '../../../kit/search.ts'

/** `open`: the id of the key whose details are shown. */
const readSearch = (search: Record<string, unknown>) => ({
  ...defined({ tab: oneOf(['keys', 'usage'], search.tab) }),
  ...readOpen(search),
})

export const customerRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/customers/$id',
  validateSearch: readSearch,
  component: lazyPage(() => import('./page.tsx'), 'CustomerPage'),
})
