/** Determines which first steps are left. Each fact needs one row of a list, so a full workspace costs no more than an empty one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Client } from '#sdk/client.ts'
import { keepSetting, useSetting } from '../../browser/settings.ts'
import { lessOften } from '../../live/read-interval.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { type May, useMay } from '../../session/session.ts'
import { firstSteps, type StepState } from './first-steps.ts'

const EVERY_MS = 3_000
/** Several, because apps that were created empty have no action to run. */
const MOST_APPS = 20

/** The first action to run, or null until one is deployed. */
const firstAction = async (api: Client, app: string, signal: AbortSignal) => {
  const { items } = await api.get('/apps/{app}/actions', { params: { app }, signal })
  const action = items[0]?.key
  return action === undefined ? null : { app, action }
}

type Reading = Readonly<{ api: Client; may: May; signal: AbortSignal }>

const readApps = async ({ api, may, signal }: Reading) => {
  if (!may('apps:read')) return { hasApp: true, action: null }
  const { items } = await api.get('/apps', { query: { limit: MOST_APPS }, signal })
  const app = items.find(({ deployment_id }) => deployment_id !== null)?.key
  if (app === undefined) return { hasApp: false, action: null }
  return { hasApp: true, action: await firstAction(api, app, signal) }
}

const readJob = async ({ api, may, signal }: Reading): Promise<string | null> => {
  if (!may('jobs:read')) return null
  const { items } = await api.get('/jobs', { query: { limit: 1 }, signal })
  return items[0]?.id ?? null
}

const hasSchedule = async ({ api, may, signal }: Reading): Promise<boolean> => {
  if (!may('schedules:read')) return true
  const { items } = await api.get('/schedules', { query: { limit: 1 }, signal })
  return items.length > 0
}

const hasOthers = async ({ api, may, signal }: Reading): Promise<boolean> => {
  if (!may('members:read')) return true
  const members = await api.get('/members', { query: { limit: 2 }, signal })
  if (members.items.length > 1) return true
  const invites = await api.get('/invites', { query: { limit: 1 }, signal })
  return invites.items.length > 0
}

export type FirstStepsState = Readonly<{
  /** False until it is known whether steps are left. */
  isKnown: boolean
  /** Null if no steps are left. */
  steps: readonly StepState[] | null
  hasJob: boolean
  /** The latest job. */
  job: string | null
  action: Readonly<{ app: string; action: string }> | null
  hide: () => void
}>

export const useFirstSteps = (): FirstStepsState => {
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const kept = useSetting(`first-steps ${ws}`)
  const hasSeenLog = useSetting(`log-seen ${ws}`) !== null
  const { data, isError } = useQuery({
    queryKey: [ws, 'first-steps'],
    queryFn: async ({ signal }) => {
      const reading = { api, may, signal }
      const [apps, job, schedule, others] = await Promise.all([
        readApps(reading),
        readJob(reading),
        hasSchedule(reading),
        hasOthers(reading),
      ])
      return { ...apps, job, hasSchedule: schedule, hasOthers: others }
    },
    enabled: kept !== 'over',
    refetchInterval: lessOften(EVERY_MS),
  })
  const hasJob = data === undefined || data.job !== null
  const steps =
    kept === 'over' || data === undefined
      ? null
      : firstSteps({ ...data, hasJob, hasSeenLog, wasShown: kept === 'shown' }, may)
  const isOver = data !== undefined && steps === null
  const next = isOver ? 'over' : steps === null ? null : 'shown'
  useEffect(() => {
    if (next !== null) keepSetting(`first-steps ${ws}`, next)
  }, [next, ws])
  return {
    isKnown: kept === 'over' || data !== undefined || isError,
    steps,
    hasJob,
    job: data?.job ?? null,
    action: data?.action ?? null,
    hide: () => keepSetting(`first-steps ${ws}`, 'over'),
  }
}
