/** Pages of the console with an address below a workspace (`/ui/w/<workspace>/<page>`). */

/** Addresses as web/src/pages defines them; a part with `$` is a name or an id. */
export const CONSOLE_PAGES: readonly string[] = [
  'account',
  'api-keys',
  'approvals',
  'apps',
  'apps/$app',
  'apps/$app/actions/$action',
  'apps/$app/code',
  'apps/$app/functions/$name',
  'audit',
  'billing',
  'certificates',
  'customers',
  'customers/$id',
  'drafts',
  'drafts/$app',
  'flow-runs',
  'flow-runs/$id',
  'flow-runs/$id/compare/$other',
  'flows',
  'flows/$app/$flow',
  'git-sources',
  'git-sources/$id',
  'instance',
  'jobs',
  'jobs/$id',
  'members',
  'notifications',
  'operations',
  'parser',
  'schedules',
  'schedules/$id',
  'schedules/$id/edit',
  'schedules/new',
  'settings',
  'tokens',
  'variables',
  'webhooks',
  'webhooks/$app/$key',
  'workers',
]

/** Matches a name or an id in an address. */
const PART = /^[\w-]+$/

const fits = (page: string, parts: readonly string[]): boolean => {
  const wanted = page.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((each, at) =>
      each.startsWith('$') ? PART.test(parts[at] ?? '') : each === parts[at],
    )
  )
}

/** Whether the console has a page at an address such as `jobs` or `apps/shop`. */
export const hasConsolePage = (address: string): boolean =>
  CONSOLE_PAGES.some((page) => fits(page, address.split('/')))

/** Pages that need no name or id, for a list of choices. */
export const plainPages = (): readonly string[] =>
  CONSOLE_PAGES.filter((page) => !page.includes('/'))
