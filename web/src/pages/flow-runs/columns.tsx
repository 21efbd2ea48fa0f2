/** Columns of a list of flow runs; other pages that list runs take them too. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { type Column, RowLink } from '../../ui/data-table.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'

type Run = Schemas['FlowRun']

const RunDuration = ({ run }: Readonly<{ run: Run }>) =>
  run.completed_at === null ? (
    <RunningDuration since={run.created_at} />
  ) : (
    <Duration ms={Math.max(0, Date.parse(run.completed_at) - Date.parse(run.created_at))} />
  )

export const useFlowRunColumns = (): readonly Column<Run>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return [
    {
      key: 'status',
      header: t.status,
      width: '10.75rem',
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'flow',
      header: t.flow,
      width: 'minmax(7rem, 2fr)',
      cell: ({ id, app, flow }) => (
        <RowLink to="/w/$ws/flow-runs/$id" params={{ ws, id }}>
          {app}/{flow}
        </RowLink>
      ),
    },
    {
      key: 'step',
      header: t.step,
      width: 'minmax(5rem, 1fr)',
      isWideOnly: true,
      cell: ({ current_step }) => current_step?.key ?? '–',
    },
    {
      key: 'trigger',
      header: t.trigger,
      width: '7rem',
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
    {
      key: 'took',
      header: t.took,
      width: '5.5rem',
      isEnd: true,
      isWideOnly: true,
      cell: (run) => <RunDuration run={run} />,
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
