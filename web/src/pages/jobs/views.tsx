/** The views of jobs: all, failed, and bulk operations. */
import { Link } from '@tanstack/react-router'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import styles from '../../ui/views.module.css'

const messages = defineMessages({
  all: { en: 'All jobs', ko: '전체 작업' },
  failed: { en: 'Failed', ko: '실패한 작업' },
  operations: { en: 'Operations', ko: '일괄 처리' },
})

const EXACT = { exact: true, includeSearch: true } as const

export const JobViews = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  return (
    <nav className={styles.views} aria-label={t.views}>
      <Link to="/w/$ws/jobs" params={{ ws }} search={{}} activeOptions={EXACT}>
        {t.all}
      </Link>
      <Link
        to="/w/$ws/jobs"
        params={{ ws }}
        search={{ status: 'failure', dismissed: 'no' }}
        activeOptions={EXACT}
      >
        {t.failed}
      </Link>
      {may('jobs:run') ? (
        <Link to="/w/$ws/operations" params={{ ws }}>
          {t.operations}
        </Link>
      ) : null}
    </nav>
  )
}
