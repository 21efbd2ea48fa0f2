/** What lists of jobs show of a job, and the columns of a list with the jobs of one action. */

import type { Schemas } from '#sdk/client.ts'
import { age, atEnd, column, ownLine, wide } from '../../../kit/columns.tsx'
import { creatorColumn } from '../../../kit/creator-name.tsx'
import { jobStatus } from '../../../kit/job-status.ts'
import { RowError } from '../../../kit/row-error.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { Duration, RunningDuration } from '../../../ui/time.tsx'
import { messages } from './messages.ts'

type Job = Schemas['Job']

export const isLiveJob = ({ status }: Job): boolean => status === 'queued' || status === 'running'

export const JobDuration = ({ job }: Readonly<{ job: Job }>) => {
  if (job.duration_ms !== null) return <Duration ms={job.duration_ms} />
  return job.status === 'running' && job.started_at !== null ? (
    <RunningDuration since={job.started_at} />
  ) : (
    '–'
  )
}

/** The columns on the page of an action, which already shows tag and attempts. */
export const useJobColumns = (): readonly Column<Job>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return [
    column(t.status, '6.5rem', (job) => <StatusBadge status={jobStatus(job)} />),
    ownLine(
      column(t.action, 'minmax(8rem, 4fr)', ({ id, app, action, error_summary }) => (
        <>
          <RowLink to="/w/$ws/jobs/$id" params={{ ws, id }} aria-label={`${app}/${action}`}>
            <TargetName app={app} name={action} />
          </RowLink>
          <RowError error={error_summary} />
        </>
      )),
    ),
    wide(column(t.trigger, '6rem', ({ trigger_kind }) => t[trigger_kind])),
    creatorColumn(t.startedBy),
    wide(atEnd(column(t.took, '5rem', (job) => <JobDuration job={job} />))),
    age(t.created, ({ created_at }) => created_at),
  ]
}
