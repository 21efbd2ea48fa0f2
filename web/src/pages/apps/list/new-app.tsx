/** An empty app, which a deployment fills (contract, fine print 6). */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormColumn } from '../../../ui/form-column.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { messages } from './messages.ts'

export const NewApp = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const form = useId()
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
    <Dialog
      isOpen
      onClose={onClose}
      title={t.newApp}
      foot={
        <Button type="submit" form={form} look="primary" disabled={create.isPending}>
          {t.create}
        </Button>
      }
    >
      <FormColumn id={form} onSubmit={() => create.mutate()}>
        <p>{t.newText}</p>
        {create.error === null ? null : <ErrorState error={create.error} title={t.notCreated} />}
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
      </FormColumn>
    </Dialog>
  )
}
