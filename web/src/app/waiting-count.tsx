/** The number of approvals that wait for the signed-in person, next to the name of their page in the side bar. */
import { useQuery } from '@tanstack/react-query'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'
import styles from './sidebar.module.css'

const messages = defineMessages({
  waiting: {
    en: (count: string) => `${count} waiting for you`,
    ko: (count: string) => `내가 승인할 항목 ${count}개`,
  },
})

/** As often as lists check for new rows. A hidden window does not check at all. */
const EVERY_MS = 10_000
/** Low, because the server reads each approval in full. */
const MOST_COUNTED = 20

export const WaitingCount = () => {
  const t = useMessages(messages)
  const api = useApi()
  const ws = useWorkspace()
  const { data: count } = useQuery({
    // an answer on the approvals page invalidates this key too
    queryKey: [ws, 'approvals', 'count'],
    queryFn: async ({ signal }) => {
      const query = { mine: 'true', limit: MOST_COUNTED } as const
      const { items, pagination } = await api.get('/approvals', { query, signal })
      return `${items.length}${pagination.next_cursor === null ? '' : '+'}`
    },
    refetchInterval: EVERY_MS,
    enabled: useMay()('flows:resume'),
  })
  if (count === undefined || count === '0') return null
  return (
    <span className={styles.count} role="img" aria-label={t.waiting(count)}>
      {count}
    </span>
  )
}
