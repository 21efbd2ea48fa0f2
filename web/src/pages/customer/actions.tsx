/** What can be done with a customer as a whole. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'

type Customer = Schemas['Consumer']
type OfCustomer = Readonly<{ customer: Customer }>

export const CustomerActions = ({ customer }: OfCustomer) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'disable' | 'remove' | null>(null)
  const { id, name, disabled } = customer
  const close = () => setOpen(null)
  const toggle = useChange({
    change: () => api.patch('/consumers/{id}', { params: { id }, body: { disabled: !disabled } }),
    touches: [[ws, 'consumers']],
    failed: t.notChanged,
    onDone: close,
  })
  const remove = useChange({
    change: () => api.delete('/consumers/{id}', { params: { id } }),
    // the page of what is gone is not read again
    touches: [[ws, 'consumers', 'list']],
    done: t.removed,
    failed: t.notChanged,
    onDone: () => void navigate({ to: '/w/$ws/customers', params: { ws } }),
  })
  return (
    <>
      <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
      <Button
        disabled={toggle.isBusy}
        onClick={() => (disabled ? toggle.run(undefined) : setOpen('disable'))}
      >
        {disabled ? t.enable : t.disable}
      </Button>
      <Button onClick={() => setOpen('remove')}>{t.delete}</Button>
      {open === 'edit' ? <EditCustomer customer={customer} onClose={close} /> : null}
      <ConfirmDialog
        isOpen={open === 'disable'}
        onClose={close}
        title={t.disableTitle(name)}
        text={t.disableText}
        confirm={t.disable}
        onConfirm={() => toggle.run(undefined)}
        isBusy={toggle.isBusy}
      />
      <ConfirmDialog
        isOpen={open === 'remove'}
        onClose={close}
        title={t.removeTitle(name)}
        text={t.removeText}
        confirm={t.delete}
        onConfirm={() => remove.run(undefined)}
        isBusy={remove.isBusy}
      />
    </>
  )
}

const EditCustomer = ({ customer, onClose }: OfCustomer & Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [name, setName] = useState(customer.name)
  const [ref, setRef] = useState(customer.external_ref ?? '')
  const edit = useChange({
    change: () =>
      api.patch('/consumers/{id}', {
        params: { id: customer.id },
        body: { name: name.trim(), external_ref: ref.trim() === '' ? null : ref.trim() },
      }),
    touches: [[ws, 'consumers']],
    onDone: onClose,
  })
  return (
    <FormDialog
      isHeld
      onClose={onClose}
      title={t.editTitle}
      send={t.save}
      onSend={() => edit.run(undefined)}
      isDisabled={edit.isBusy}
      error={edit.error}
      failed={t.notChanged}
    >
      <TextField
        label={t.name}
        isRequired
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t.externalRef}
        maxLength={200}
        value={ref}
        onChange={(event) => setRef(event.target.value)}
      />
    </FormDialog>
  )
}
