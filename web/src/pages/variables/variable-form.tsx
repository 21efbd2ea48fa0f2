/** Sets a variable. The value is typed, sent and forgotten. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { CheckField, Field, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { announce } from '../../ui/toast.tsx'
import { KEY_PATTERN, MAX_KEY_LENGTH } from './key-pattern.ts'
import { messages } from './messages.ts'

type VariableFormProps = Readonly<{
  /** Null: a new one. */
  known: Schemas['Variable'] | null
  taken: readonly string[]
  onClose: () => void
}>

export const VariableForm = ({ known, taken, onClose }: VariableFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const [key, setKey] = useState(known?.key ?? '')
  const [value, setValue] = useState(known?.value ?? '')
  const [isSecret, setSecret] = useState(known?.secret ?? true)
  const save = useMutation({
    mutationFn: () =>
      api.put('/variables/{key}', { params: { key }, body: { value, secret: isSecret } }),
    onSuccess: async () => {
      announce({ title: t.saved(key) })
      await queryClient.invalidateQueries({ queryKey: [ws, 'variables'] })
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={known === null ? t.newVariable : t.replaceTitle(known.key)}
      send={t.save}
      onSend={() => save.mutate()}
      isDisabled={save.isPending}
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
      {isSecret ? (
        <SecretField label={t.value} hint={t.valueHint} value={value} onChange={setValue} />
      ) : (
        <Field label={t.value}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              spellCheck={false}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      )}
      <CheckField
        label={t.isSecret}
        checked={isSecret}
        onChange={(event) => setSecret(event.target.checked)}
      />
    </FormDialog>
  )
}
