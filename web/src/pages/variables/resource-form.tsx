import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { parseJson } from '../../form/schema-form.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { TextField } from '../../ui/form/field.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { messages } from './messages.ts'
import { SecretForm, type SecretFormProps } from './secret-form.tsx'

export const ResourceForm = (props: SecretFormProps<Schemas['Resource']>) => {
  const t = useMessages(messages)
  const api = useApi()
  const [type, setType] = useState(props.known?.type ?? '')
  const [text, setText] = useState('')
  const value = parseJson(text)
  return (
    <SecretForm
      {...props}
      what="resource"
      add={t.newResource}
      save={(key) => api.post('/resources', { body: { key, type, value: value ?? null } })}
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
