/** Reads the newest jobs of expanded flow runs, and keeps them up to date while the run has not ended. */
import { useQueries } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'

const MOST = 50
const EVERY_MS = 2_000

export const useRunJobs = (
  runIds: readonly string[],
): ReadonlyMap<string, readonly Schemas['Job'][]> => {
  const ws = useWorkspace()
  const api = useApi()
  const found = useQueries({
    queries: runIds.map((id) => ({
      queryKey: [ws, 'jobs', 'of-run', id],
      queryFn: ({ signal }: Readonly<{ signal: AbortSignal }>) =>
        api.get('/jobs', { query: { flow_run_id: id, limit: MOST }, signal }),
      refetchInterval: lessOften(EVERY_MS),
    })),
  })
  return new Map(runIds.map((id, at) => [id, found[at]?.data?.items ?? []]))
}
