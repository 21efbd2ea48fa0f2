import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

export const MakeWorkspace = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const make = useChange({
    change: () =>
      api.post('/api/admin/workspaces', {
        body: { id: id.trim(), name: name.trim() === '' ? id.trim() : name.trim() },
      }),
    touches: [['admin', 'workspaces'], ['workspaces']],
    done: t.made,
    onDone: onClose,
  })
  return (
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.newWorkspace}
      send={t.make}
      onSend={() => make.run(undefined)}
      isDisabled={make.isBusy}
      error={make.error}
      failed={t.notMade}
    >
      <TextField
        label={t.id}
        hint={t.idHint}
        isRequired
        autoFocus
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <TextField
        label={t.name}
        maxLength={200}
        placeholder={id}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
