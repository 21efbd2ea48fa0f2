/** The responses to the last deliveries, and what each delivery has started. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '#sdk/client.ts'
import { useRunWithKey } from '../../../form/use-request-key.ts'
import { useActions } from '../../../kit/action.tsx'
import { Loaded } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { lessOften } from '../../../live/read-interval.ts'
import { LastResult } from '../../../schedule/last-result.tsx'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { Card } from '../../../ui/facts.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { messages } from './messages.ts'

const EVERY_MS = 4_000
const FIRST_ERROR = 400

type Delivery = Schemas['WebhookDelivery']
type Place = Readonly<{ app: string; webhook: string; kind: 'action' | 'flow' }>

export const Deliveries = (place: Place) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const { app, webhook: key } = place
  const query = useQuery({
    queryKey: [ws, 'webhook-deliveries', app, key],
    queryFn: ({ signal }) =>
      api.get('/webhooks/{app}/{key}/deliveries', { params: { app, key }, signal }),
    refetchInterval: lessOften(EVERY_MS),
  })
  return (
    <Card title={t.deliveries}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">{t.noDeliveries}</p>
          ) : (
            <DeliveryTable place={place} items={items} />
          )
        }
      </Loaded>
    </Card>
  )
}

type TableProps = Readonly<{ place: Place; items: readonly Delivery[] }>

const DeliveryTable = ({ place, items }: TableProps) => {
  const t = useMessages(messages)
  return (
    <PlainTable
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        { header: t.received, cell: ({ received_at }) => <TimeAgo at={received_at} /> },
        {
          header: t.answer,
          cell: ({ status }) => <span className={status < FIRST_ERROR ? '' : 'bad'}>{status}</span>,
        },
        { header: t.reason, cell: ({ reason }) => <Reason reason={reason} /> },
        {
          header: t.started,
          cell: ({ job_id, flow_run_id }) => <LastResult jobId={job_id} runId={flow_run_id} />,
        },
        {
          header: '',
          isEnd: true,
          cell: (delivery) => <Replay place={place} delivery={delivery} />,
        },
      ]}
    />
  )
}

const REASONS = [
  'missing_signature',
  'malformed_signature',
  'wrong_signature',
  'stale_timestamp',
  'missing_variable',
  'duplicate',
  'challenge',
  'job_failed',
] as const

const Reason = ({ reason }: Readonly<{ reason: string | null }>) => {
  const t = useMessages(messages)
  if (reason === null) return '–'
  const known = REASONS.find((each) => each === reason)
  return known === undefined ? <code>{reason}</code> : t[known]
}

type ReplayProps = Readonly<{ place: Place; delivery: Delivery }>

const Replay = ({ place, delivery }: ReplayProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { app, webhook: key, kind } = place
  const { id, job_id, flow_run_id } = delivery
  const runWithKey = useRunWithKey()
  const hasBody = job_id !== null || flow_run_id !== null
  const { buttons } = useActions(
    [
      {
        label: t.replay,
        look: 'quiet',
        isOffered: hasBody && may('jobs:run') && (kind === 'action' || may('flows:run')),
        run: () =>
          runWithKey((idempotencyKey) =>
            api.post('/webhooks/{app}/{key}/deliveries/{id}/replay', {
              params: { app, key, id },
              idempotencyKey,
            }),
          ),
        touches: [[ws, 'jobs']],
        done: t.replayed,
        failed: t.notReplayed,
      },
    ],
    false,
  )
  return buttons
}
