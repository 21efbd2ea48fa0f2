import { type AuditFilters, readAuditFilters } from '../../audit/search.ts'

export const TABS = ['workspaces', 'users', 'workers', 'audit'] as const
export type InstanceTab = (typeof TABS)[number]

/** `open`: the id of the workspace, or the e-mail address of the account, whose details are shown. */
export type InstanceSearch = Readonly<{ tab?: InstanceTab; open?: string }> & AuditFilters

export const readInstanceSearch = (search: Record<string, unknown>): InstanceSearch => {
  const tab = TABS.find((each) => each === search.tab)
  return {
    ...(tab === undefined || tab === 'workspaces' ? {} : { tab }),
    ...(typeof search.open === 'string' ? { open: search.open } : {}),
    ...(tab === 'audit' ? readAuditFilters(search) : {}),
  }
}
