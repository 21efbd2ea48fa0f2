/** Columns of a list of flow runs, also used by other pages that list runs. */

import type { Schemas } from '#sdk/client.ts'
import { shownStatus } from '../../../flow/shown-status.ts'
import { age, atEnd, column, ownLine, wide } from '../../../kit/columns.tsx'
import { creatorColumn } from '../../../kit/creator-name.tsx'
import { RowError } from '../../../kit/row-error.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { Duration, RunningDuration, ShortTime } from '../../../ui/time.tsx'
import { messages } from './messages.ts'

type Run = Schemas['FlowRun']

/** A run that has not begun takes no time yet. */
const RunDuration = ({ run }: Readonly<{ run: Run }>) => {
  if (run.scheduled_for != null || run.waiting_for != null) return '–'
  return run.completed_at === null ? (
    <RunningDuration since={run.created_at} />
  ) : (
    <Duration ms={Math.max(0, Date.parse(run.completed_at) - Date.parse(run.created_at))} />
  )
}

const CurrentStep = ({ run }: Readonly<{ run: Run }>) => {
  const t = useMessages(messages)
  if (run.scheduled_for == null) return run.current_step?.key ?? '–'
  return (
    <>
      {t.starts} <ShortTime at={run.scheduled_for} />
    </>
  )
}

/** @param areOver whether the list has only ended runs, which are at no step */
export const useFlowRunColumns = (areOver = false): readonly Column<Run>[] => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const step = wide(column<Run>(t.step, 'minmax(5rem, 1fr)', (run) => <CurrentStep run={run} />))
  return [
    column(t.status, 'minmax(6.5rem, 12rem)', (run) => <StatusBadge status={shownStatus(run)} />),
    ownLine(
      column(t.flow, 'minmax(7rem, 4fr)', ({ id, app, flow, error_summary }) => (
        <>
          <RowLink to="/w/$ws/flow-runs/$id" params={{ ws, id }} aria-label={`${app}/${flow}`}>
            <TargetName app={app} name={flow} />
          </RowLink>
          <RowError error={error_summary} />
        </>
      )),
    ),
    ...(areOver ? [] : [step]),
    wide(column(t.trigger, '7rem', ({ trigger_kind }) => t[trigger_kind])),
    creatorColumn(t.startedBy),
    wide(atEnd(column(t.took, '5.5rem', (run) => <RunDuration run={run} />))),
    age(t.created, ({ created_at }) => created_at),
  ]
}
