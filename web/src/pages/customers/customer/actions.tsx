/** The actions on a customer as a whole. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useKeptFields } from '../../../form/use-kept-fields.ts'
import { ActionButtons } from '../../../kit/action.tsx'
import { ActionDialog } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { messages } from './messages.ts'

type Customer = Schemas['Consumer']
type OfCustomer = Readonly<{ customer: Customer }>

export const CustomerActions = ({ customer }: OfCustomer) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const { id, name, disabled } = customer
  const params = { id }
  return (
    <>
      <FormButton label={t.edit} look="normal" icon={null}>
        {(close) => <EditCustomer customer={customer} onClose={close} />}
      </FormButton>
      <ActionButtons
        actions={[
          {
            label: disabled ? t.enable : t.disable,
            ...(disabled ? {} : { confirm: { title: t.disableTitle(name), text: t.disableText } }),
            run: () => api.patch('/consumers/{id}', { params, body: { disabled: !disabled } }),
            touches: [[ws, 'consumers']],
            failed: t.notChanged,
          },
          {
            label: t.delete,
            confirm: { title: t.removeTitle(name), text: t.removeText },
            run: () => api.delete('/consumers/{id}', { params }),
            // the page of a deleted customer must not be read again
            touches: [[ws, 'consumers', 'list']],
            done: t.removed,
            failed: t.notChanged,
            leadOn: () => void navigate({ to: '/w/$ws/customers', params: { ws } }),
          },
        ]}
      />
    </>
  )
}

const EditCustomer = ({ customer, onClose }: OfCustomer & Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  // the customer when the form was opened
  const [initial] = useState(customer)
  const [{ name, ref }, set, forget] = useKeptFields(`customer ${ws} ${customer.id}`, {
    name: initial.name,
    ref: initial.external_ref ?? '',
  })
  const next = { name: name.trim(), external_ref: ref.trim() === '' ? null : ref.trim() }
  return (
    <ActionDialog
      isHeld
      onClose={onClose}
      title={t.editTitle}
      send={t.save}
      run={() =>
        api.patch('/consumers/{id}', {
          params: { id: customer.id },
          // only what was changed, so that the changes of other people stay
          body: {
            ...(next.name === initial.name ? {} : { name: next.name }),
            ...(next.external_ref === initial.external_ref
              ? {}
              : { external_ref: next.external_ref }),
          },
        })
      }
      touches={[[ws, 'consumers']]}
      onDone={() => {
        forget()
        onClose()
      }}
      failed={t.notChanged}
    >
      <TextField
        label={t.name}
        isRequired
        maxLength={200}
        value={name}
        onText={(text) => set({ name: text })}
      />
      <TextField
        label={t.externalRef}
        maxLength={200}
        value={ref}
        onText={(text) => set({ ref: text })}
      />
    </ActionDialog>
  )
}
