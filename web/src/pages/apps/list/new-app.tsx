/** An empty app, which a deployment fills [functions 13.5]. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

export const NewApp = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [key, setKey] = useState('')
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => api.post('/apps', { body: { key, name: name.trim() === '' ? key : name } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [ws, 'apps'] })
      void navigate({ to: '/w/$ws/apps/$app', params: { ws, app: key } })
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t.newApp}
      send={t.create}
      onSend={() => create.mutate()}
      isDisabled={create.isPending}
      error={create.error}
      failed={t.notCreated}
    >
      <p>{t.newText}</p>
      <TextField
        label={t.key}
        hint={t.keyHint}
        isRequired
        pattern="[a-z0-9][a-z0-9\-]*"
        maxLength={63}
        autoCapitalize="off"
        spellCheck={false}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <TextField
        label={t.name}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
