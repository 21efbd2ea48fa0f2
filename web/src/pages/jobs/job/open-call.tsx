/** The call of another job or of a flow for which a job waits, or whose error it failed with. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { isObject } from '../../../ui/json-object.ts'

type Job = Schemas['JobDetail']
type Step = Schemas['JobStep']

/** Maximum of the API. The call of a job with more steps is found in its list of steps. */
const MOST_STEPS = 500

const isCall = ({ child_job_id, child_flow_run_id }: Step): boolean =>
  child_job_id !== null || child_flow_run_id !== null

/** Whether the job ended with the error of the step. Code that catches the error may fail with another one later. */
const hasErrorOf = ({ result }: Job, { error }: Step): boolean =>
  isObject(result) &&
  isObject(error) &&
  result.name === error.name &&
  result.message === error.message

/** @returns undefined until it is known, and if there is none */
export const useOpenCall = (job: Job): Step | undefined => {
  const ws = useWorkspace()
  const api = useApi()
  const { id, suspended, status } = job
  const waitsIn = suspended?.kind === 'job' ? suspended.name : null
  const { data } = useQuery({
    queryKey: [ws, 'job', id, 'open-call', waitsIn],
    queryFn: ({ signal }) =>
      api.get('/jobs/{id}/steps', { params: { id }, query: { limit: MOST_STEPS }, signal }),
    enabled: waitsIn !== null || status === 'failure',
  })
  return data?.items.findLast(
    (step) => isCall(step) && (waitsIn === null ? hasErrorOf(job, step) : step.name === waitsIn),
  )
}

/** Leads to the called flow run or job. */
export const CallLink = ({ step, children }: Readonly<{ step: Step; children: ReactNode }>) => {
  const ws = useWorkspace()
  const { child_job_id: job, child_flow_run_id: run } = step
  if (run !== null) {
    return (
      <Link to="/w/$ws/flow-runs/$id" params={{ ws, id: run }}>
        {children}
      </Link>
    )
  }
  if (job === null) return children
  return (
    <Link to="/w/$ws/jobs/$id" params={{ ws, id: job }}>
      {children}
    </Link>
  )
}
