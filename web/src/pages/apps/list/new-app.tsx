/** Creates an empty app, which a deployment fills [functions 13.5]. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
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
  const [key, setKey] = useState('')
  const [name, setName] = useState('')
  return (
    <ActionDialog
      onClose={onClose}
      title={t.newApp}
      send={t.create}
      run={() => api.post('/apps', { body: { key, name: name.trim() === '' ? key : name } })}
      touches={[[ws, 'apps']]}
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
        onText={setKey}
      />
      <TextField label={t.name} maxLength={200} value={name} onText={setName} />
    </ActionDialog>
  )
}
