/** The step at which a run failed, with a link to its job: one click leads to the error, the next to the line of code. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './detail.module.css'
import { messages } from './messages.ts'

type Run = Schemas['FlowRunDetail']

type FailedStepProps = Readonly<{ run: Run; step: Run['steps'][number]; onSelect: () => void }>

export const FailedStep = ({ run, step, onSelect }: FailedStepProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('jobs:read')
  const { data } = useQuery({
    queryKey: [ws, 'failed-job', run.id, step.key],
    queryFn: ({ signal }) =>
      api.get('/jobs', {
        query: { flow_run_id: run.id, status: 'failure', limit: MOST_FAILED },
        signal,
      }),
    enabled: may && step.job_ids.length > 0,
  })
  // the newest job, which ended the step
  const job = data?.items.find(({ flow_step }) => flow_step === step.key)
  const subrun = step.flow_run_ids?.at(-1)
  return (
    <p className={styles.failedStep}>
      <Button onClick={onSelect}>{t.failedAt(step.key)}</Button>
      {job === undefined ? null : (
        <Link to="/w/$ws/jobs/$id" params={{ ws, id: job.id }}>
          {t.errorOf(job.action)}
        </Link>
      )}
      {subrun === undefined ? null : (
        <Link to="/w/$ws/flow-runs/$id" params={{ ws, id: subrun }}>
          {t.failedSubrun}
        </Link>
      )}
    </p>
  )
}

/** Jobs of later steps may have failed too, including those of the failure module. */
const MOST_FAILED = 50
