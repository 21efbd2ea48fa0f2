/** The runs of an action, live. */

import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { ResourceList } from '../../../kit/list.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { isLiveJob, useJobColumns } from '../../jobs/list/columns.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 2_000

export const ActionRuns = ({ app, action }: Readonly<{ app: string; action: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <div className={styles.runs}>
      <ResourceList<Schemas['Job']>
        title={t.runs}
        queryKey={[ws, 'jobs', 'of', app, action]}
        read={({ query, signal }) => api.get('/jobs', { query: { app, action, ...query }, signal })}
        keyOf={({ id }) => id}
        isLive={isLiveJob}
        everyMs={EVERY_MS}
        columns={useJobColumns()}
        empty={{
          title: t.noRuns,
          text: t.noRunsText,
          command: `svc run ${app}/${action} --wait`,
        }}
      />
      <Link to="/w/$ws/jobs" params={{ ws }} search={{ app, action }}>
        {t.allRuns}
      </Link>
    </div>
  )
}
