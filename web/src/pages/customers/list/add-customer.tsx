import { useNavigate } from '@tanstack/react-router'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'

/** Continues to the customer, where the next step is to allow actions. */
export const AddCustomer = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [{ name, ref }, set, forget] = useKeptFields(`new customer ${ws}`, { name: '', ref: '' })
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.add}
      send={t.create}
      run={() =>
        api.post('/consumers', {
          body: { name: name.trim(), ...(ref.trim() === '' ? {} : { external_ref: ref.trim() }) },
        })
      }
      touches={[[ws, 'consumers']]}
      onDone={forget}
      leadOn={({ id }) => void navigate({ to: '/w/$ws/customers/$id', params: { ws, id } })}
      failed={t.notAdded}
    >
      <TextField
        label={t.name}
        hint={t.next}
        isRequired
        autoFocus
        maxLength={200}
        value={name}
        onText={(text) => set({ name: text })}
      />
      <TextField
        label={t.externalRef}
        hint={t.refHint}
        maxLength={200}
        value={ref}
        onText={(text) => set({ ref: text })}
      />
    </ActionDialog>
  )
}
