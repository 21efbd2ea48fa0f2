/** Queries of single resources that several pages read. They share keys, so that moving between pages loads nothing twice. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#sdk/client.ts'

export const jobQuery = (api: Client, ws: string, id: string) =>
  queryOptions({
    queryKey: [ws, 'job', id],
    queryFn: ({ signal }) => api.get('/jobs/{id}', { params: { id }, signal }),
  })

export const flowRunQuery = (api: Client, ws: string, id: string) =>
  queryOptions({
    queryKey: [ws, 'flow-run', id],
    queryFn: ({ signal }) => api.get('/flow-runs/{id}', { params: { id }, signal }),
  })

export const scheduleQuery = (api: Client, ws: string, id: string) =>
  queryOptions({
    queryKey: [ws, 'schedule', id],
    queryFn: ({ signal }) => api.get('/schedules/{id}', { params: { id }, signal }),
  })

export const gitSourceQuery = (api: Client, ws: string, id: string) =>
  queryOptions({
    queryKey: [ws, 'git-source', id],
    queryFn: ({ signal }) => api.get('/git-sources/{id}', { params: { id }, signal }),
  })

/** The actions of an app. */
export const actionsQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    queryKey: [ws, 'actions', app],
    queryFn: ({ signal }) => api.get('/apps/{app}/actions', { params: { app }, signal }),
  })

/** The workspace's balance and the prices. */
export const balanceQuery = (api: Client, ws: string) =>
  queryOptions({
    queryKey: [ws, 'billing', 'balance'],
    queryFn: ({ signal }) => api.get('/billing', { query: { limit: 1 }, signal }),
  })
