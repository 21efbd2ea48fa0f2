/** The events that a durable job waits for, each with a button that sends it. */
import { Send } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../../../kit/form-button.tsx'
import { InputDialog } from '../../../kit/input-dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { Card } from '../../../ui/facts.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { announce } from '../../../ui/toast.tsx'
import { eventMessages } from './event-messages.ts'
import styles from './event-waits.module.css'

type Job = Schemas['JobDetail']
type Wait = NonNullable<Job['event_waits']>[number]

/** The server lists them only for those who may send them. */
export const EventWaits = ({ job }: Readonly<{ job: Job }>) => {
  const t = useMessages(eventMessages)
  const { id, event_waits: waits = [] } = job
  if (waits.length === 0) return null
  return (
    <Card title={t.title}>
      <ul className={styles.waits}>
        {waits.map((wait) => (
          <li key={wait.step}>
            <span>
              <code>{wait.name}</code> {wait.key === null ? null : <code>{wait.key}</code>}{' '}
              <span className="hint">
                {wait.step}
                {wait.until === null ? null : (
                  <>
                    {' · '}
                    {t.timeout} <TimeAgo at={wait.until} />
                  </>
                )}
              </span>
            </span>
            <FormButton label={t.send} icon={Send} look="normal" need="flows:resume">
              {(close) => <SendEvent jobId={id} wait={wait} onClose={close} />}
            </FormButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type SendEventProps = Readonly<{ jobId: string; wait: Wait; onClose: () => void }>

const SendEvent = ({ jobId, wait, onClose }: SendEventProps) => {
  const t = useMessages(eventMessages)
  const ws = useWorkspace()
  const api = useApi()
  const { name, key } = wait
  return (
    <InputDialog
      title={t.sendTitle(name)}
      send={t.send}
      failed={t.notSent}
      note={key === null ? t.note : t.noteWithKey(key)}
      schema={{}}
      initial="{}"
      draft={`event ${ws} ${jobId} ${wait.step}`}
      start={(data) =>
        api.post('/events', { body: { name, data, ...(key === null ? {} : { key }) } })
      }
      onStarted={({ delivered }) => {
        announce({ title: t.sent(delivered) })
        void queryClient.invalidateQueries({ queryKey: [ws, 'job', jobId] })
      }}
      onClose={onClose}
    />
  )
}
