/** Finds deployed and scheduled things by a part of their name. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { allFlowsQuery } from '../kit/target-names.ts'
import { readRows } from '../live/read-rows.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'
import type { Target } from './palette-target.ts'

const MOST_READ = 500
const MOST_SHOWN = 50
const STALE_MS = 30_000
const PAUSE_MS = 120

/** Returns the text once typing pauses, so that not every key sends a request. */
const useResting = (text: string): string => {
  const [resting, setResting] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return resting
}

const useDeployed = (text: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const resting = useResting(text)
  const { data } = useQuery({
    queryKey: [ws, 'names', resting],
    queryFn: ({ signal }) =>
      api.get('/names', { query: { text: resting, limit: MOST_SHOWN }, signal }),
    enabled: useMay()('apps:read') && resting !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
  return data?.items ?? []
}

const useFlows = () => {
  const ws = useWorkspace()
  const api = useApi()
  const { data } = useQuery({
    ...allFlowsQuery(api, ws),
    enabled: useMay()('flows:read'),
    staleTime: STALE_MS,
  })
  return data?.items ?? []
}

const useSchedules = () => {
  const ws = useWorkspace()
  const api = useApi()
  const { data } = useQuery({
    queryKey: [ws, 'schedules', 'all'],
    queryFn: ({ signal }) =>
      readRows(MOST_READ, (query) => api.get('/schedules', { query, signal })),
    enabled: useMay()('schedules:read'),
    staleTime: STALE_MS,
  })
  return data ?? []
}

/** @param isRun whether to return only what can be started, with its form */
export const usePaletteTargets = (text: string, isRun: boolean): readonly Target[] => {
  const may = useMay()
  const deployed = useDeployed(text)
  const flows = useFlows()
  const schedules = useSchedules()
  if (text === '') return []
  const small = text.toLowerCase()
  const isNamed = (name: string): boolean => name.toLowerCase().includes(small)
  const named = deployed.filter(({ kind, app, key }) =>
    isNamed(kind === 'app' ? app : `${app}/${key}`),
  )
  const flowsNamed = flows.filter(({ app, key }) => isNamed(`${app}/${key}`))
  if (isRun) {
    const actions = named.filter(({ kind }) => kind === 'action')
    return [
      ...(may('jobs:run') ? actions : []).map(({ app, key }) => ({
        kind: 'run' as const,
        app,
        key,
      })),
      ...(may('flows:run') ? flowsNamed : []).map(({ app, key }) => ({
        kind: 'start' as const,
        app,
        key,
      })),
    ].slice(0, MOST_SHOWN)
  }
  return [
    ...named.map(
      ({ kind, app, key }): Target => (kind === 'app' ? { kind, app } : { kind, app, key }),
    ),
    ...flowsNamed.map(({ app, key }) => ({ kind: 'flow' as const, app, key })),
    ...schedules
      .map(({ id, app_key, action_key, flow_key, cron }) => ({
        kind: 'schedule' as const,
        id,
        name: `${app_key}/${action_key ?? flow_key} · ${cron}`,
      }))
      .filter(({ name }) => isNamed(name)),
  ].slice(0, MOST_SHOWN)
}
