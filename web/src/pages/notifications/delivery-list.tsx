import type { Schemas } from '#sdk/client.ts'
import { age, column, opens, text, wide } from '../../kit/columns.tsx'
import { ResourceList } from '../../kit/list.tsx'
import { useMessages } from '../../language/messages.ts'
import { useServerSentence } from '../../language/use-server-sentence.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import { messages } from './messages.ts'

type Delivery = Schemas['NotificationDelivery']

const EVERY_MS = 4_000

export const DeliveryList = () => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const ws = useWorkspace()
  const api = useApi()
  return (
    <ResourceList<Delivery>
      title={t.deliveries}
      queryKey={[ws, 'notification-deliveries']}
      read={(page) => api.get('/notifications/deliveries', page)}
      keyOf={({ id }) => id}
      isLive={({ status }) => status === 'pending'}
      everyMs={EVERY_MS}
      columns={[
        column(t.status, '6.5rem', ({ status }) => <StatusBadge status={status} />),
        opens(t.message, 'minmax(8rem, 1fr)', ({ id, type }) => ({ id, name: t[type] })),
        wide(
          text(
            t.channel,
            'minmax(8rem, 1fr)',
            ({ target: { kind, address } }) => `${t[kind]} ${address}`,
          ),
        ),
        text(t.reason, 'minmax(6rem, 2fr)', ({ status, last_error }) =>
          status === 'delivered' || last_error === null ? null : inOwnWords(last_error),
        ),
        age(t.created, ({ created_at }) => created_at),
      ]}
      empty={{ title: t.none, text: t.noneText }}
      details={(delivery, close) => <DeliveryDetails delivery={delivery} onClose={close} />}
    />
  )
}
