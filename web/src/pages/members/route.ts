import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../app/root-route.ts'

/** `open`: the e-mail address of the member, or the id of the invite, whose details are shown. */
export type MemberSearch = Readonly<{ tab?: 'invites'; open?: string }>

export const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/members',
  validateSearch: ({ tab, open }: Record<string, unknown>): MemberSearch => ({
    ...(tab === 'invites' ? { tab } : {}),
    ...(typeof open === 'string' ? { open } : {}),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'MembersPage'),
})
