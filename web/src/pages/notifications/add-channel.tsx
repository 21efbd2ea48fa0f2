/**
 * Adds a channel, with its target and the events that it receives. Typed text survives a new sign-in, except for URLs, which
 * may contain secrets.
 */
import { useState } from 'react'
import { useKeptFields } from '../../form/use-kept-fields.ts'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { CheckField, SelectField, TextField } from '../../ui/form/field.tsx'
import { type ChannelDraft, EVENTS, KINDS, toTarget } from './channel.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { useChannels } from './use-channels.ts'

type KeptChannel = Readonly<{
  kind: string
  email: string
  /** The key of the variable that has the secret, not its value. */
  secret: string
  on: readonly string[]
}>

const START: KeptChannel = { kind: 'slack', email: '', secret: '', on: EVENTS }

/** The typed values. Those of a URL live only as long as the form. */
const useChannelDraft = () => {
  const ws = useWorkspace()
  const [kept, keep, forget] = useKeptFields(`new channel ${ws}`, START)
  const [url, setUrl] = useState('')
  const kind = KINDS.find((each) => each === kept.kind) ?? 'slack'
  const on = EVENTS.filter((event) => kept.on.includes(event))
  const address = kind === 'email' ? kept.email : url
  const draft: ChannelDraft = { kind, address, secret: kept.secret, on }
  const setAddress = (text: string): void =>
    kind === 'email' ? keep({ email: text }) : setUrl(text)
  return { draft, keep, setAddress, forget }
}

export const AddChannel = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const { change, touches } = useChannels()
  const { draft, keep, setAddress, forget } = useChannelDraft()
  const { kind, address, secret, on } = draft
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.addChannel}
      send={t.add}
      run={() => change((now) => [...now, { on: draft.on, to: toTarget(draft) }])}
      isComplete={on.length > 0}
      touches={touches}
      done={t.channelAdded}
      failed={t.notAdded}
      onDone={() => {
        forget()
        onClose()
      }}
    >
      <SelectField
        label={t.kind}
        value={kind}
        onChange={(next) => keep({ kind: next })}
        options={KINDS.map((value) => ({ value, label: t[value] }))}
      />
      <TextField
        label={t.address}
        type={kind === 'email' ? 'email' : 'url'}
        placeholder={kind === 'email' ? 'ops@example.com' : 'https://'}
        isRequired
        isExact
        value={address}
        onText={setAddress}
      />
      {kind === 'webhook' ? (
        <TextField
          label={t.secret}
          hint={t.secretHint}
          isExact
          maxLength={200}
          value={secret}
          onText={(text) => keep({ secret: text })}
        />
      ) : null}
      <fieldset className={styles.events}>
        <legend>{t.events}</legend>
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={t[event]}
            checked={on.includes(event)}
            onChange={({ target }) =>
              keep({
                on: EVENTS.filter((each) => (each === event ? target.checked : on.includes(each))),
              })
            }
          />
        ))}
      </fieldset>
    </ActionDialog>
  )
}
