/** Scopes [access 3.7] and what a principal may do [access 4.2], [access 4.4]. */
export const SCOPES = {
  'workspace:read': 'read own info and the workspace',
  'workspace:write': 'change workspace settings',
  'members:read': 'list members and invites',
  'members:write': 'add, change, remove members; create and delete invites',
  'tokens:read': 'list tokens',
  'tokens:write': 'create and revoke tokens',
  'git_sources:read': 'list git sources',
  'git_sources:write': 'create git sources, probe remotes, sync',
  'apps:read': 'read apps, actions and history',
  'apps:write': 'override tags, requeue queued jobs',
  'drafts:read': 'read drafts and sources',
  'drafts:write': 'save and delete drafts',
  'deployments:read': 'read deployments',
  'deployments:write': 'deploy apps',
  'variables:read': 'read variables',
  'variables:write': 'create and delete variables',
  'resources:read': 'read resources',
  'resources:write': 'create resources',
  'jobs:read': 'job list, summary, status, result, logs',
  'jobs:run': 'run, run and wait, cancel',
  'flows:read': 'flow list, flow run list and detail',
  'flows:run': 'start flow runs',
  'flows:resume': 'approve or reject approval steps, and send events',
  'webhooks:invoke': 'only the external webhook routes',
  'workers:read': 'live worker counts per tag, worker names, group, ping',
  'schedules:read': 'read schedules',
  'schedules:write': 'create, change, delete schedules',
  'consumers:read': 'read customers and their grants',
  'consumers:write': 'manage customers, grants, issue customer keys',
} as const

export type Scope = keyof typeof SCOPES
/** What a token may hold: a scope, or everything. */
export type GrantedScope = Scope | '*'

export const ALL_SCOPES: readonly GrantedScope[] = ['*', ...Object.keys(SCOPES).filter(isScope)]

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text)
}

export const isGrantedScope = (text: string): text is GrantedScope => text === '*' || isScope(text)

/** Whether `*` or the exact scope is granted; an empty list denies everything. */
export const allows = (granted: readonly GrantedScope[], needed: GrantedScope): boolean =>
  granted.includes('*') || granted.includes(needed)

/** What a session of a regular member may do; an admin may do everything in the workspace. */
const MEMBER_WRITES: readonly Scope[] = ['jobs:run', 'flows:run', 'flows:resume', 'drafts:write']

export const ROLES = ['member', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const scopesOfRole = (role: Role): readonly GrantedScope[] =>
  role === 'admin'
    ? ['*']
    : Object.keys(SCOPES)
        .filter(isScope)
        .filter((scope) => scope.endsWith(':read') || MEMBER_WRITES.includes(scope))

/** Scopes that no role has, because only tokens use them. */
const TOKEN_SCOPES: readonly Scope[] = ['webhooks:invoke']

/** Returns what a token holds, narrowed to the role of its owner: scopes never widen a role [access 4.4]. */
export const scopesOfToken = (
  role: Role,
  scopes: readonly GrantedScope[],
): readonly GrantedScope[] => {
  if (role === 'admin') return scopes
  const held = [...scopesOfRole('member'), ...TOKEN_SCOPES]
  return scopes.includes('*') ? held : scopes.filter((scope) => held.includes(scope))
}

/** Returns the scopes that a creator may not pass on, because it does not hold them. */
export const scopesBeyond = (
  creator: readonly GrantedScope[],
  wanted: readonly GrantedScope[],
): readonly GrantedScope[] => wanted.filter((scope) => !allows(creator, scope))
