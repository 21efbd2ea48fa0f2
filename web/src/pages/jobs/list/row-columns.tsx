/** Columns of the list of jobs, in which a flow run is a row that can be expanded. */
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { aged, atEnd, column, ownLine, wide } from '../../../kit/columns.tsx'
import { CREATOR_WIDTH, CreatorName } from '../../../kit/creator-name.tsx'
import { jobStatus } from '../../../kit/job-status.ts'
import { RowError } from '../../../kit/row-error.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { TargetName } from '../../../ui/table/target-name.tsx'
import { Duration, RunningDuration, TimeAgo } from '../../../ui/time.tsx'
import { JobDuration } from './columns.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import type { JobRow } from './rows.ts'

/** The ids of expanded runs, which show their jobs. */
export type OpenRuns = Readonly<{
  ids: readonly string[]
  toggle: (id: string, isOpen: boolean) => void
}>

/** Selects a cell by the kind of its row. The row for further jobs has only a name. */
const byKind =
  (
    ofJob: (job: Schemas['Job']) => ReactNode,
    ofRun: (run: Schemas['FlowRun']) => ReactNode,
  ): ((row: JobRow) => ReactNode) =>
  (row) =>
    row.kind === 'job' ? ofJob(row.job) : row.kind === 'run' ? ofRun(row.run) : null

export const useJobRowColumns = (isFolded: boolean, runs: OpenRuns): readonly Column<JobRow>[] => {
  const t = useMessages(messages)
  const status = byKind(
    (job) => <StatusBadge status={jobStatus(job)} />,
    (run) => <StatusBadge status={run.status} />,
  )
  const creator = byKind(
    (job) => <CreatorName of={job} />,
    (run) => <CreatorName of={run} />,
  )
  const trigger = byKind(
    (job) => t[job.trigger_kind],
    (run) => t[run.trigger_kind],
  )
  const attempts = byKind(
    ({ attempt, max_attempts }) => `${attempt}/${max_attempts}`,
    () => null,
  )
  const took = byKind(
    (job) => <JobDuration job={job} />,
    (run) => <RunDuration run={run} />,
  )
  const created = byKind(
    (job) => <TimeAgo at={job.created_at} />,
    (run) => <TimeAgo at={run.created_at} />,
  )
  return [
    column(t.status, isFolded ? 'minmax(6.5rem, 12rem)' : '6.5rem', status),
    ownLine(
      // the name of a flow shares the column with an arrow and the number of jobs
      column(
        isFolded ? t.actionOrFlow : t.action,
        isFolded ? 'minmax(13rem, 4fr)' : 'minmax(8rem, 4fr)',
        (row) => <RowName row={row} runs={runs} />,
      ),
    ),
    wide(column(t.trigger, '6.5rem', trigger)),
    wide(column(t.startedBy, CREATOR_WIDTH, creator)),
    wide(
      column(
        t.tag,
        '6rem',
        byKind(
          ({ tag }) => tag,
          () => null,
        ),
      ),
    ),
    wide(atEnd(column(t.attempt, '4.5rem', attempts))),
    wide(atEnd(column(t.took, '5rem', took))),
    atEnd(aged(t.created, created)),
  ]
}

const RunDuration = ({ run }: Readonly<{ run: Schemas['FlowRun'] }>) =>
  run.completed_at === null ? (
    <RunningDuration since={run.created_at} />
  ) : (
    <Duration ms={Math.max(0, Date.parse(run.completed_at) - Date.parse(run.created_at))} />
  )

type RowNameProps = Readonly<{ row: JobRow; runs: OpenRuns }>

const RowName = ({ row, runs }: RowNameProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  switch (row.kind) {
    case 'run':
      return (
        <>
          <RunName run={row.run} jobs={row.jobs} runs={runs} />
          <RowError error={row.run.error_summary} />
        </>
      )
    case 'more':
      return (
        <span className={styles.below}>
          <Link to="/w/$ws/jobs" params={{ ws }} search={{ run: row.runId }}>
            {t.allOfRun}
          </Link>
        </span>
      )
    default: {
      const { id, app, action, flow_step, error_summary } = row.job
      return (
        <span className={row.isBelow ? styles.below : undefined}>
          <RowLink to="/w/$ws/jobs/$id" params={{ ws, id }} aria-label={`${app}/${action}`}>
            <TargetName app={app} name={action} />
          </RowLink>
          {row.isBelow ? <span className="quiet"> · {flow_step}</span> : null}
          <RowError error={error_summary} />
        </span>
      )
    }
  }
}

type RunNameProps = Readonly<{ run: Schemas['FlowRun']; jobs: number; runs: OpenRuns }>

const RunName = ({ run, jobs, runs }: RunNameProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const { id, app, flow } = run
  const isOpen = runs.ids.includes(id)
  return (
    <span className={styles.run}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isOpen}
        aria-label={t.jobsOf(`${app}/${flow}`)}
        onClick={() => runs.toggle(id, !isOpen)}
      >
        <ChevronRight size={15} aria-hidden="true" />
      </button>
      <RowLink
        to="/w/$ws/flow-runs/$id"
        params={{ ws, id }}
        aria-label={`${app}/${flow}`}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') runs.toggle(id, true)
          if (key === 'ArrowLeft') runs.toggle(id, false)
        }}
      >
        <TargetName app={app} name={flow} />
      </RowLink>
      <span className={`quiet ${styles.count}`}>{t.jobCount(jobs)}</span>
    </span>
  )
}
