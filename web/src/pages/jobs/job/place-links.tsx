/** Links from a stack trace to the lines of the code that the job ran. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import type { ShowPlace } from '../../../ui/log/log-row.tsx'

/** @returns a function that shows a place as a link; undefined while the files are not loaded, or if the person may not see them */
export const usePlaceLinks = (job: Schemas['JobDetail']): ShowPlace | undefined => {
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('apps:read')
  const { app, deployment_id: deployment } = job
  const { data } = useQuery({
    queryKey: [ws, 'deployment-files', deployment],
    queryFn: ({ signal }) =>
      api.get('/deployments/{id}/files', { params: { id: deployment }, signal }),
    // deployed files never change
    staleTime: Number.POSITIVE_INFINITY,
    enabled: may && job.attempt > 0,
  })
  return useMemo((): ShowPlace | undefined => {
    if (data === undefined) return undefined
    const files = new Set(data.items.map(({ path }) => path))
    return ({ file, line }, text) => {
      // files in the sandbox's working folder begin with ./
      const path = file.replace(/^\.?\//, '')
      if (!files.has(path)) return text
      return (
        <Link
          to="/w/$ws/apps/$app/code"
          params={{ ws, app }}
          search={{ deployment, file: path, line }}
        >
          {text}
        </Link>
      )
    }
  }, [data, ws, app, deployment])
}
