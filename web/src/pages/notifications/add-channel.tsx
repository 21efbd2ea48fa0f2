/** Adds a channel, with its target and the events that it receives. */
import { useState } from 'react'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { CheckField, SelectField, TextField } from '../../ui/form/field.tsx'
import { type ChannelDraft, EVENTS, KINDS, toTarget } from './channel.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { useChannels } from './use-channels.ts'

const START: ChannelDraft = { kind: 'slack', address: '', secret: '', on: EVENTS }

export const AddChannel = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const { change, touches } = useChannels()
  const [draft, setDraft] = useState(START)
  const set = (part: Partial<ChannelDraft>): void => setDraft((before) => ({ ...before, ...part }))
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
      onDone={onClose}
    >
      <SelectField
        label={t.kind}
        value={kind}
        onChange={(next) => set({ kind: KINDS.find((each) => each === next) ?? kind })}
        options={KINDS.map((value) => ({ value, label: t[value] }))}
      />
      <TextField
        label={t.address}
        type={kind === 'email' ? 'email' : 'url'}
        placeholder={kind === 'email' ? 'ops@example.com' : 'https://'}
        isRequired
        isExact
        value={address}
        onText={(text) => set({ address: text })}
      />
      {kind === 'webhook' ? (
        <TextField
          label={t.secret}
          hint={t.secretHint}
          isExact
          maxLength={200}
          value={secret}
          onText={(text) => set({ secret: text })}
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
              set({
                on: EVENTS.filter((each) => (each === event ? target.checked : on.includes(each))),
              })
            }
          />
        ))}
      </fieldset>
    </ActionDialog>
  )
}
