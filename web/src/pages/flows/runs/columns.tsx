/** Columns of a list of flow runs; other pages that list runs take them too. */

import type { Schemas } from '#sdk/client.ts'
import { age, atEnd, column, text, wide } from '../../../kit/columns.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { type Column, RowLink } from '../../../ui/data-table.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { Duration, RunningDuration } from '../../../ui/time.tsx'
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
    column(t.status, '10.75rem', ({ status }) => <StatusBadge status={status} />),
    column(t.flow, 'minmax(7rem, 2fr)', ({ id, app, flow }) => (
      <RowLink to="/w/$ws/flow-runs/$id" params={{ ws, id }}>
        {app}/{flow}
      </RowLink>
    )),
    wide(column(t.step, 'minmax(5rem, 1fr)', ({ current_step }) => current_step?.key ?? '–')),
    wide(column(t.trigger, '7rem', ({ trigger_kind }) => t[trigger_kind])),
    wide(text(t.startedBy, 'minmax(6rem, 1fr)', ({ created_by }) => created_by)),
    wide(atEnd(column(t.took, '5.5rem', (run) => <RunDuration run={run} />))),
    age(t.created, ({ created_at }) => created_at),
  ]
}
