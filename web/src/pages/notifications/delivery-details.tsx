/** One notification: what it reports, how many attempts were made, and why it failed. */
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { Details } from '../../kit/details.tsx'
import { useMessages } from '../../language/messages.ts'
import { useServerSentence } from '../../language/use-server-sentence.ts'
import { useWorkspace } from '../../session/api.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { messages } from './messages.ts'

type DeliveryProps = Readonly<{ delivery: Schemas['NotificationDelivery'] }>

export const DeliveryDetails = ({
  delivery,
  onClose,
}: DeliveryProps & Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const { status, type, target, attempts, last_error: error } = delivery
  const { created_at: created, next_attempt_at: next, ended_at: ended } = delivery
  return (
    <Details
      title={t[type]}
      onClose={onClose}
      facts={[
        [t.status, <StatusBadge key="status" status={status} />],
        [t.channel, `${t[target.kind]} ${target.address}`],
        [t.page, type === 'test' ? null : <Subject key="page" delivery={delivery} />],
        [t.attempts, attempts],
        [t.reason, status === 'delivered' || error === null ? null : inOwnWords(error)],
        [t.created, <ShortTime key="created" at={created} />],
        [t.next, next === null ? null : <ShortTime key="next" at={next} />],
        [t.ended, ended === null ? null : <ShortTime key="ended" at={ended} />],
      ]}
    />
  )
}

/** A link to the subject of the notification. */
const Subject = ({ delivery: { type, subject: id } }: DeliveryProps) => {
  const ws = useWorkspace()
  if (type === 'job_failed') {
    return (
      <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
        {id}
      </Link>
    )
  }
  const to = type === 'schedule_disabled' ? '/w/$ws/schedules/$id' : '/w/$ws/flow-runs/$id'
  return (
    <Link to={to} params={{ ws, id }}>
      {id}
    </Link>
  )
}
