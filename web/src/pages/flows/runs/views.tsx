/** The views of flow runs: all runs, and failed runs that wait for a person. */
import { Link } from '@tanstack/react-router'
import { defineMessages, useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import styles from '../../../ui/views.module.css'

const messages = defineMessages({
  all: { en: 'All runs', ko: '전체 실행' },
  failed: { en: 'Failed', ko: '실패한 실행' },
})

const EXACT = { exact: true, includeSearch: true } as const

export const FlowRunViews = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  return (
    <nav className={styles.views} aria-label={t.views}>
      <Link to="/w/$ws/flow-runs" params={{ ws }} search={{}} activeOptions={EXACT}>
        {t.all}
      </Link>
      <Link
        to="/w/$ws/flow-runs"
        params={{ ws }}
        search={{ status: 'failed', dismissed: 'no' }}
        activeOptions={EXACT}
      >
        {t.failed}
      </Link>
    </nav>
  )
}
