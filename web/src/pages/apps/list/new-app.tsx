/** Creates an empty app, which a deployment fills [functions 13.5]. */
import { useNavigate } from '@tanstack/react-router'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { KEY_SHAPE, TextField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'

export const NewApp = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [{ key, name }, set, forget] = useKeptFields(`new app ${ws}`, { key: '', name: '' })
  return (
    <ActionDialog
      onClose={onClose}
      title={t.newApp}
      send={t.create}
      run={() => api.post('/apps', { body: { key, name: name.trim() === '' ? key : name } })}
      touches={[[ws, 'apps']]}
      onDone={forget}
      leadOn={({ key: app }) => void navigate({ to: '/w/$ws/apps/$app', params: { ws, app } })}
      failed={t.notCreated}
    >
      <p>{t.newText}</p>
      <TextField
        isExact
        label={t.key}
        hint={t.keyHint}
        isRequired
        {...KEY_SHAPE}
        value={key}
        onText={(text) => set({ key: text })}
      />
      <TextField
        label={t.name}
        maxLength={200}
        value={name}
        onText={(text) => set({ name: text })}
      />
    </ActionDialog>
  )
}
