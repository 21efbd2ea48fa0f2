/** The names of apps, actions and flows of a workspace, for filters and forms. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Client } from '#sdk/client.ts'
import { actionsQuery } from '../live/queries.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'

const MOST = 500

export const allAppsQuery = (api: Client, ws: string) =>
  queryOptions({
    queryKey: [ws, 'apps', 'all'],
    queryFn: ({ signal }) => api.get('/apps', { query: { limit: MOST }, signal }),
  })

export const allFlowsQuery = (api: Client, ws: string) =>
  queryOptions({
    queryKey: [ws, 'flows', 'all'],
    queryFn: ({ signal }) => api.get('/flows', { query: { limit: MOST }, signal }),
  })

/** Keys of all apps; undefined while they load, or if this person may not read them. */
export const useAppNames = (): readonly string[] | undefined => {
  const may = useMay()
  const apps = useQuery({ ...allAppsQuery(useApi(), useWorkspace()), enabled: may('apps:read') })
  return apps.data?.items.map(({ key }) => key)
}

/** Keys of the actions of an app. An unknown app is not looked up, because a person may still be typing its name. */
export const useActionNames = (app = ''): readonly string[] | undefined => {
  const [api, ws, apps] = [useApi(), useWorkspace(), useAppNames()]
  const actions = useQuery({
    ...actionsQuery(api, ws, app),
    enabled: apps?.includes(app) === true,
  })
  return actions.data?.items.map(({ key }) => key)
}

/** Keys of the flows of an app, or of all apps. */
export const useFlowNames = (app: string | undefined): readonly string[] | undefined => {
  const may = useMay()
  const flows = useQuery({ ...allFlowsQuery(useApi(), useWorkspace()), enabled: may('flows:read') })
  const found = flows.data?.items.filter((flow) => app === undefined || flow.app === app)
  return found && [...new Set(found.map(({ key }) => key))]
}
