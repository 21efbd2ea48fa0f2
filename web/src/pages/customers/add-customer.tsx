import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

/** Leads on to the customer: the next step is what it may run. */
export const AddCustomer = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [ref, setRef] = useState('')
  const add = useChange({
    change: () =>
      api.post('/consumers', {
        body: { name: name.trim(), ...(ref.trim() === '' ? {} : { external_ref: ref.trim() }) },
      }),
    touches: [[ws, 'consumers']],
    onDone: ({ id }) => void navigate({ to: '/w/$ws/customers/$id', params: { ws, id } }),
  })
  return (
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.add}
      send={t.create}
      onSend={() => add.run(undefined)}
      isDisabled={add.isBusy}
      error={add.error}
      failed={t.notAdded}
    >
      <TextField
        label={t.name}
        hint={t.next}
        isRequired
        autoFocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t.externalRef}
        hint={t.refHint}
        maxLength={200}
        value={ref}
        onChange={(event) => setRef(event.target.value)}
      />
    </FormDialog>
  )
}
