/** Sets a resource. Its JSON is typed, sent and forgotten. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { parseJson } from '../../form/schema-form.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { announce } from '../../ui/toast.tsx'
import { KEY_PATTERN, MAX_KEY_LENGTH } from './key-pattern.ts'
import { messages } from './messages.ts'

type ResourceFormProps = Readonly<{
  /** Null: a new one. */
  known: Schemas['Resource'] | null
  taken: readonly string[]
  onClose: () => void
}>

export const ResourceForm = ({ known, taken, onClose }: ResourceFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [key, setKey] = useState(known?.key ?? '')
  const [type, setType] = useState(known?.type ?? '')
  const [text, setText] = useState('')
  const value = parseJson(text)
  const save = useMutation({
    mutationFn: () => api.post('/resources', { body: { key, type, value: value ?? null } }),
    onSuccess: async () => {
      announce({ title: t.saved(key) })
      await queryClient.invalidateQueries({ queryKey: [ws, 'resources'] })
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={known === null ? t.newResource : t.replaceTitle(known.key)}
      send={t.save}
      onSend={() => save.mutate()}
      isDisabled={save.isPending || value === undefined}
      error={save.error}
      failed={t.notSaved}
    >
      {known === null ? null : <p>{t.replaceText}</p>}
      {known === null ? (
        <TextField
          label={t.key}
          hint={taken.includes(key) ? t.exists : t.keyHint}
          isRequired
          pattern={KEY_PATTERN}
          maxLength={MAX_KEY_LENGTH}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      ) : null}
      <TextField
        label={t.type}
        hint={t.typeHint}
        isRequired
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        value={type}
        onChange={(event) => setType(event.target.value)}
      />
      <SecretField
        label={t.value}
        hint={t.jsonHint}
        fault={text.trim() !== '' && value === undefined ? t.notJson : undefined}
        isRequired
        rows={6}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}
