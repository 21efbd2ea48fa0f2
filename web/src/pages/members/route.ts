import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { workspaceRoute } from '../../app/root-route.ts'
import { defined, oneOf, readOpen } from '../../kit/search.ts'

/** `open`: the e-mail address of the member, or the id of the invite, whose details are shown. */
const readSearch = (search: Record<string, unknown>) => ({
  ...defined({ tab: oneOf(['invites'], search.tab) }),
  ...readOpen(search),
})

export const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/members',
  validateSearch: readSearch,
  component: lazyPage(() => import('./page.tsx'), 'MembersPage'),
})
