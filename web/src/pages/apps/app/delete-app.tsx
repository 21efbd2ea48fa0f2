/** Deletes an app. Its key must be typed first, because much is deleted with it. */
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'

export const DeleteApp = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  return (
    <FormButton need="deployments:write" label={t.delete} icon={Trash2} look="quiet">
      {(close) => <DeleteDialog app={app} onClose={close} />}
    </FormButton>
  )
}

const DeleteDialog = ({ app, onClose }: Readonly<{ app: string; onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const leave = async (): Promise<void> => {
    await navigate({ to: '/w/$ws/apps', params: { ws } })
    queryClient.removeQueries({ queryKey: [ws, 'app', app] })
  }
  return (
    <ActionDialog
      isDangerous
      onClose={onClose}
      title={t.deleteTitle(app)}
      send={t.delete}
      run={() => api.delete('/apps/{app}', { params: { app } })}
      isComplete={typed === app}
      touches={[[ws, 'apps']]}
      done={t.deleted}
      leadOn={() => void leave()}
      failed={t.notDeleted}
    >
      <p>{t.deleteText}</p>
      <TextField isExact label={t.deleteConfirm(app)} value={typed} onText={setTyped} />
    </ActionDialog>
  )
}
