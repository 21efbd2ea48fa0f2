/** Columns of a list of jobs; other pages that list jobs take them too. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

const JobDuration = ({ job }: Readonly<{ job: Schemas['Job'] }>) => {
  if (job.duration_ms !== null) return <Duration ms={job.duration_ms} />
  return job.status === 'running' && job.started_at !== null ? (
    <RunningDuration since={job.started_at} />
  ) : (
    '–'
  )
}

export const useJobColumns = (): readonly Column<Schemas['Job']>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return [
    {
      key: 'status',
      header: t.status,
      width: '6.5rem',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'action',
      header: t.action,
      width: 'minmax(8rem, 2fr)',
      cell: ({ id, app, action }) => (
        <RowLink to="/w/$ws/jobs/$id" params={{ ws, id }}>
          {app}/{action}
        </RowLink>
      ),
    },
    {
      key: 'trigger',
      header: t.trigger,
      width: '6rem',
      isWideOnly: true,
      cell: ({ trigger_kind }) => t[trigger_kind],
    },
    {
      key: 'by',
      header: t.startedBy,
      width: 'minmax(6rem, 1fr)',
      isWideOnly: true,
      cell: ({ created_by }) => <span title={created_by}>{created_by}</span>,
    },
    { key: 'tag', header: t.tag, width: '6rem', isWideOnly: true, cell: ({ tag }) => tag },
    {
      key: 'attempt',
      header: t.attempt,
      width: '4.5rem',
      isEnd: true,
      isWideOnly: true,
      cell: ({ attempt, max_attempts }) => `${attempt}/${max_attempts}`,
    },
    {
      key: 'took',
      header: t.took,
      width: '5rem',
      isEnd: true,
      isWideOnly: true,
      cell: (job) => <JobDuration job={job} />,
    },
    {
      key: 'created',
      header: t.created,
      width: '6.5rem',
      isEnd: true,
      cell: ({ created_at }) => <TimeAgo at={created_at} />,
    },
  ]
}
