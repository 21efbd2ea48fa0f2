import { useKeptFields } from '../../form/use-kept-fields.ts'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { KEY_SHAPE, TextField } from '../../ui/form/field.tsx'
import { messages } from './messages.ts'

export const MakeWorkspace = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const [{ id, name }, set, forget] = useKeptFields('new workspace', { id: '', name: '' })
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.newWorkspace}
      send={t.make}
      run={() =>
        api.post('/api/admin/workspaces', {
          body: { id: id.trim(), name: name.trim() === '' ? id.trim() : name.trim() },
        })
      }
      touches={[['admin', 'workspaces'], ['workspaces']]}
      done={t.made}
      onDone={() => {
        forget()
        onClose()
      }}
      failed={t.notMade}
    >
      <TextField
        label={t.id}
        hint={t.idHint}
        isRequired
        autoFocus
        {...KEY_SHAPE}
        value={id}
        onText={(text) => set({ id: text })}
      />
      <TextField
        label={t.name}
        maxLength={200}
        placeholder={id}
        value={name}
        onText={(text) => set({ name: text })}
      />
    </ActionDialog>
  )
}
