/** What was added to the balance and taken from it. */
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { LiveTable } from '../../live/live-table.tsx'
import { useLiveList } from '../../live/use-live-list.ts'
import { useApi } from '../../session/api.ts'
import type { Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/billing')

const PAGE_ROWS = 100
const EVERY_MS = 5_000

type Entry = Schemas['CreditEntry']

const keyOf = ({ id }: Entry): string => id

export const CreditList = () => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const columns = useColumns()
  const list = useLiveList<Entry>({
    queryKey: [ws, 'billing', 'entries'],
    read: async (cursor, signal) => {
      const { entries, pagination } = await api.get('/billing', {
        query: { cursor, limit: PAGE_ROWS },
        signal,
      })
      return { items: entries, pagination }
    },
    keyOf,
    everyMs: EVERY_MS,
  })
  return (
    <LiveTable
      label={t.credit}
      columns={columns}
      list={list}
      keyOf={keyOf}
      empty={<EmptyState title={t.none} text={t.noneText} />}
    />
  )
}

const useColumns = (): readonly Column<Entry>[] => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const kindOf = ({ kind, amount_won }: Entry): string => {
    if (kind === 'opening') return t.opening
    if (kind === 'charge') return t.charge
    return amount_won < 0 ? t.takenBack : t.creditAdded
  }
  return [
    {
      key: 'when',
      header: t.when,
      width: '6.5rem',
      cell: ({ created_at }) => <TimeAgo at={created_at} />,
    },
    { key: 'kind', header: t.kind, width: '8rem', cell: kindOf },
    {
      key: 'of',
      header: t.of,
      width: 'minmax(8rem, 2fr)',
      isWideOnly: true,
      cell: ({ route: called, note }) =>
        called === null ? (note ?? '–') : <code title={called}>{called}</code>,
    },
    {
      key: 'key',
      header: t.key,
      width: 'minmax(8rem, 1.5fr)',
      isWideOnly: true,
      cell: ({ api_key_id }) => (api_key_id === null ? '–' : <code>{api_key_id}</code>),
    },
    {
      key: 'amount',
      header: t.amount,
      width: '7rem',
      isEnd: true,
      cell: ({ amount_won }) => (
        <span className={styles.won}>
          {amount_won > 0 ? '+' : ''}
          {number(amount_won)}
        </span>
      ),
    },
  ]
}
