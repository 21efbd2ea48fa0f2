/** The events that a durable job or a flow run waits for, each with a button that sends it. */
import { Send } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { FormButton } from '../kit/form-button.tsx'
import { InputDialog } from '../kit/input-dialog.tsx'
import { useMessages } from '../language/messages.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { queryClient } from '../session/query-client.ts'
import { Card } from '../ui/facts.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { announce } from '../ui/toast.tsx'
import styles from './event-waits.module.css'
import { messages } from './messages.ts'

type Wait = NonNullable<Schemas['JobDetail']['event_waits']>[number]

export type EventWaitsProps = Readonly<{
  /** The job or flow run that waits. */
  id: string
  /** The server lists them only for people who may send the events. */
  waits: readonly Wait[] | undefined
  /** Queries that change when an event arrives. */
  queryKey: readonly unknown[]
}>

export const EventWaits = ({ id, waits = [], queryKey }: EventWaitsProps) => {
  const t = useMessages(messages)
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
              {(close) => <SendEvent id={id} wait={wait} queryKey={queryKey} onClose={close} />}
            </FormButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type SendEventProps = Pick<EventWaitsProps, 'id' | 'queryKey'> &
  Readonly<{ wait: Wait; onClose: () => void }>

const SendEvent = ({ id, wait, queryKey, onClose }: SendEventProps) => {
  const t = useMessages(messages)
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
      draft={`event ${ws} ${id} ${wait.step}`}
      start={(data) =>
        api.post('/events', { body: { name, data, ...(key === null ? {} : { key }) } })
      }
      onStarted={({ delivered }) => {
        announce({ title: t.sent(delivered) })
        void queryClient.invalidateQueries({ queryKey })
      }}
      onClose={onClose}
    />
  )
}
