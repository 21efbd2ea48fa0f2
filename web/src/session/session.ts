/** The signed-in person, their workspaces, and their permissions in the current one. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '../language/units.ts'
import { apiOf, useWorkspace } from './api.ts'
import { ME_KEY } from './query-client.ts'

export const meQuery = queryOptions({
  queryKey: ME_KEY,
  queryFn: ({ signal }) => apiOf('').get('/api/auth/me', { signal }),
  staleTime: MINUTE_MS,
})

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await apiOf('').get('/api/auth/workspaces', { signal })).items,
  staleTime: MINUTE_MS,
})

export const whoamiQuery = (ws: string) =>
  queryOptions({
    queryKey: [ws, 'whoami'],
    queryFn: ({ signal }) => apiOf(ws).get('/whoami', { signal }),
    staleTime: MINUTE_MS,
    enabled: ws !== '',
  })

/** A scope of docs/access.md, `*` for admins only, or `instance` for super admins. Undefined means that everyone may do it. */
export type Need = string | undefined

export type May = (need: Need) => boolean

/** Whether the signed-in person has a scope here. False until that is known. */
export const useMay = (): May => {
  const { data: own } = useQuery(whoamiQuery(useWorkspace()))
  const { data: me } = useQuery(meQuery)
  return (need) => {
    if (need === undefined) return true
    if (need === 'instance') return me?.super_admin ?? false
    const scopes = own?.scopes ?? []
    return scopes.includes('*') || scopes.includes(need)
  }
}

/** Sections that the admins of this workspace have hidden. */
export const useHiddenSections = (): readonly string[] =>
  useQuery(whoamiQuery(useWorkspace())).data?.hidden_sections ?? []

/** The e-mail address of the signed-in person, or null until it is known. */
export const useIdentity = (): string | null => useQuery(meQuery).data?.email ?? null
