/** The runs of an action, live. */
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { LiveTable } from '../../../live/live-table.tsx'
import { useLiveList } from '../../../live/use-live-list.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { EmptyState } from '../../../ui/notice.tsx'
import { useJobColumns } from '../../jobs/columns.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const PAGE_ROWS = 50

type Job = Schemas['Job']
const keyOf = ({ id }: Job): string => id
const isLive = ({ status }: Job): boolean => status === 'queued' || status === 'running'

/** One list has one tag and one timeout: what the page says already is left out. */
const SAID: readonly string[] = ['tag', 'attempt']

export const ActionRuns = ({ app, action }: Readonly<{ app: string; action: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const columns = useJobColumns().filter(({ key }) => !SAID.includes(key))
  const list = useLiveList<Job>({
    queryKey: [ws, 'jobs', 'of', app, action],
    read: (cursor, signal) =>
      api.get('/jobs', { query: { app, action, cursor, limit: PAGE_ROWS }, signal }),
    keyOf,
    isLive,
  })
  return (
    <div className={styles.runs}>
      <LiveTable
        label={t.runs}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState
            title={t.noRuns}
            text={t.noRunsText}
            command={`svc run ${app}/${action} --wait`}
          />
        }
      />
      <Link to="/w/$ws/jobs" params={{ ws }} search={{ app, action }}>
        {t.allRuns}
      </Link>
    </div>
  )
}
