/** Deletes an app, once its key was typed: much goes with it. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { usePaletteCommand } from '../../../app/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { useMay } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormColumn } from '../../../ui/form-column.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { announce } from '../../../ui/toast.tsx'
import { messages } from './messages.ts'

export const DeleteApp = ({ app }: Readonly<{ app: string }>) => {
  const t = useMessages(messages)
  const may = useMay()('deployments:write')
  const [isOpen, setOpen] = useState(false)
  usePaletteCommand(may ? t.delete : null, () => setOpen(true))
  if (!may) return null
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Trash2 size={15} aria-hidden="true" />
        {t.delete}
      </Button>
      {isOpen ? <DeleteDialog app={app} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const DeleteDialog = ({ app, onClose }: Readonly<{ app: string; onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const form = useId()
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: () => api.delete('/apps/{app}', { params: { app } }),
    onSuccess: async () => {
      announce({ title: t.deleted, text: app })
      await navigate({ to: '/w/$ws/apps', params: { ws } })
      queryClient.removeQueries({ queryKey: [ws, 'app', app] })
      await queryClient.invalidateQueries({ queryKey: [ws, 'apps'] })
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.deleteTitle(app)}
      foot={
        <Button
          type="submit"
          form={form}
          look="danger"
          disabled={typed !== app || remove.isPending}
        >
          {t.delete}
        </Button>
      }
    >
      <FormColumn id={form} onSubmit={() => remove.mutate()}>
        <p>{t.deleteText}</p>
        {remove.error === null ? null : <ErrorState error={remove.error} title={t.notDeleted} />}
        <TextField
          label={t.deleteConfirm(app)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </FormColumn>
    </Dialog>
  )
}
