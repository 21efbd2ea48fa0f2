/** A job, read again at each event of its stream until it ends. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { queryClient } from '../session/query-client.ts'
import { jobQuery } from './queries.ts'
import { useEventStream } from './use-event-stream.ts'

export const isOver = ({ status }: Pick<Schemas['Job'], 'status'>): boolean =>
  status !== 'queued' && status !== 'running'

export const useJob = (id: string) => {
  const ws = useWorkspace()
  const api = useApi()
  const options = jobQuery(api, ws, id)
  const query = useQuery(options)
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
