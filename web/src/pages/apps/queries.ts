/** Queries of the pages of an app. They share keys, so that moving between pages loads nothing twice. */
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#sdk/client.ts'
import { actionsQuery } from '../../live/queries.ts'
import { lessOften } from '../../live/read-interval.ts'
import { readRows } from '../../live/read-rows.ts'

const EVERY_MS = 5_000

export const appQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    queryKey: [ws, 'app', app],
    queryFn: ({ signal }) => api.get('/apps/{app}', { params: { app }, signal }),
    refetchInterval: lessOften(EVERY_MS),
  })

export const watchedActionsQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    ...actionsQuery(api, ws, app),
    select: ({ items }) => items,
    refetchInterval: lessOften(EVERY_MS),
  })

/** More flows than an app has. */
const MOST = 500

export const flowsQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    queryKey: [ws, 'flows', 'of', app],
    queryFn: ({ signal }) => api.get('/flows', { query: { app, limit: MOST }, signal }),
    select: ({ items }) => items,
    refetchInterval: lessOften(EVERY_MS),
  })

export const schedulesQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    queryKey: [ws, 'schedules', 'of', app],
    queryFn: ({ signal }) =>
      readRows(MOST, (page) => api.get('/schedules', { query: { app, ...page }, signal })),
    refetchInterval: lessOften(EVERY_MS),
  })

export const functionsQuery = (api: Client, ws: string, app: string) =>
  queryOptions({
    queryKey: [ws, 'functions', app],
    queryFn: ({ signal }) => api.get('/apps/{app}/functions', { params: { app }, signal }),
    select: ({ items }) => items,
  })
