/** A job, read again at each event of its stream until it ends. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../browser/server-clock.ts'
import { HOUR_MS, SECOND_MS } from '../language/units.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { queryClient } from '../session/query-client.ts'
import { jobQuery } from './queries.ts'
import { useEventStream } from './use-event-stream.ts'

export const isOver = ({ status }: Pick<Schemas['Job'], 'status'>): boolean =>
  status !== 'queued' && status !== 'running'

/** The stream has no event for the time at which a job becomes due. */
const untilDue = (job: Schemas['JobDetail'] | undefined): number | false => {
  if (job?.waiting_for?.reason !== 'time') return false
  const due = Date.parse(job.suspended?.until ?? job.scheduled_for)
  return Math.min(Math.max(due - serverNow(), SECOND_MS), HOUR_MS)
}

export const useJob = (id: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const options = jobQuery(api, ws, id)
  const query = useQuery({ ...options, refetchInterval: ({ state }) => untilDue(state.data) })
  const job = query.data
  useEventStream({
    client: api,
    // not before the first read: an event during it would start no other, and the job would never end here
    path:
      job === undefined || isOver(job)
        ? null
        : `/api/w/${encodeURIComponent(ws)}/jobs/${encodeURIComponent(id)}/events`,
    onEvent: () => void queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  return query
}
