/** The job of a trial: its status, its result or error, and its live log. Source places in the log open in the editor. */
import { Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import type { Files } from '../../../draft/starter-files.ts'
import { ActionButtons } from '../../../kit/action.tsx'
import { jobStatus } from '../../../kit/job-status.ts'
import { useMessages } from '../../../language/messages.ts'
import { JobLog } from '../../../live/job-log.tsx'
import { isOver, useJob } from '../../../live/use-job.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import type { ShowPlace } from '../../../ui/log/log-row.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import type { FaultPlace } from '../fault-place.ts'
import { messages } from './messages.ts'
import styles from './try-panel.module.css'

type TryOutcomeProps = Readonly<{
  id: string
  files: Files
  onOpen: (place: FaultPlace) => void
}>

export const TryOutcome = ({ id, files, onOpen }: TryOutcomeProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const query = useJob(id)
  const job = query.data
  const hasEnded = job !== undefined && isOver(job)
  const showPlace: ShowPlace = ({ file, line }, text) => {
    const path = file.replace(/^\.?\//, '')
    if (!Object.hasOwn(files, path)) return text
    return (
      <button
        type="button"
        className={styles.again}
        onClick={() => onOpen({ file: path, line, column: 1 })}
      >
        {text}
      </button>
    )
  }
  return (
    <>
      <div className={styles.status} role="status">
        {job === undefined ? <Loading /> : <StatusBadge status={jobStatus(job)} />}
        <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
          {t.openJob}
        </Link>
        <ActionButtons
          actions={[
            {
              label: t.cancelJob,
              icon: Ban,
              isOffered: job !== undefined && !hasEnded,
              run: () => api.post('/jobs/{id}/cancel', { params: { id }, body: {} }),
              touches: [[ws, 'job', id]],
              failed: t.notCanceled,
            },
          ]}
        />
      </div>
      {query.error === null ? null : <ErrorState error={query.error} />}
      {job === undefined || !hasEnded ? null : (
        <section className={styles.pane} aria-label={job.status === 'failure' ? t.error : t.result}>
          <h3>{job.status === 'failure' ? t.error : t.result}</h3>
          <JsonView value={job.result} />
        </section>
      )}
      <h3>{t.log}</h3>
      <div className={styles.log}>
        <JobLog jobId={id} isOver={hasEnded} showPlace={showPlace} />
      </div>
    </>
  )
}
