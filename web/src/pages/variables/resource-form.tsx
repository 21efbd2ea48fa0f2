import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { parseJson } from '../../form/schema-form.tsx'
import { useKeptState } from '../../form/use-kept-state.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { TextField } from '../../ui/form/field.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { messages } from './messages.ts'
import { SecretForm, type SecretFormProps } from './secret-form.tsx'

export const ResourceForm = (props: SecretFormProps<Schemas['Resource']>) => {
  const t = useMessages(messages)
  const api = useApi()
  const { known } = props
  const [type, setType, forget] = useKeptState(
    `type of resource ${useWorkspace()} ${known?.key ?? ''}`,
    known?.type ?? '',
  )
  const [text, setText] = useState('')
  const value = parseJson(text)
  return (
    <SecretForm
      {...props}
      what="resource"
      add={t.newResource}
      facts={(now) => [[t.type, now.type]]}
      save={(key, headers) =>
        api.post('/resources', { body: { key, type, value: value ?? null }, headers })
      }
      onSaved={forget}
      isComplete={value !== undefined}
    >
      <TextField
        isExact
        label={t.type}
        hint={t.typeHint}
        isRequired
        maxLength={64}
        value={type}
        onText={setType}
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
    </SecretForm>
  )
}
