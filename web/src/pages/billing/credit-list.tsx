/** Amounts that were added to the balance or taken from it. */

import type { Schemas } from '#sdk/client.ts'
import { aged, atEnd, column, wide } from '../../kit/columns.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const EVERY_MS = 5_000

type Entry = Schemas['CreditEntry']

export const CreditList = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourceList<Entry>
      title={t.credit}
      queryKey={[ws, 'billing', 'entries']}
      read={async (page) => {
        const { entries, pagination } = await api.get('/billing', page)
        return { items: entries, pagination }
      }}
      keyOf={({ id }) => id}
      everyMs={EVERY_MS}
      columns={useColumns()}
      empty={{ title: t.none, text: t.noneText }}
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
    aged(t.when, ({ created_at }) => <TimeAgo at={created_at} />),
    column(t.kind, '8rem', kindOf),
    wide(
      column(t.of, 'minmax(8rem, 2fr)', ({ route: called, note }) =>
        called === null ? (note ?? '–') : <code title={called}>{called}</code>,
      ),
    ),
    wide(
      column(t.key, 'minmax(8rem, 1.5fr)', ({ api_key_id }) =>
        api_key_id === null ? '–' : <code>{api_key_id}</code>,
      ),
    ),
    atEnd(
      column(t.amount, '7rem', ({ amount_won }) => (
        <span className={styles.won}>
          {amount_won > 0 ? '+' : ''}
          {number(amount_won)}
        </span>
      )),
    ),
  ]
}
