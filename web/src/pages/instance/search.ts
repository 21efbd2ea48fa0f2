import { readAuditFilters } from '../../audit/search.ts'
import { oneOf, readOpen } from '../../kit/search.ts'

export const TABS = ['workspaces', 'users', 'workers', 'audit'] as const
export type InstanceTab = (typeof TABS)[number]

/** `open`: the id of the workspace, or the e-mail address of the account, whose details are shown. */
export const readInstanceSearch = (search: Record<string, unknown>) => {
  const tab = oneOf(TABS, search.tab)
  return {
    ...(tab === undefined || tab === 'workspaces' ? {} : { tab }),
    ...readOpen(search),
    ...(tab === 'audit' ? readAuditFilters(search) : {}),
  }
}
