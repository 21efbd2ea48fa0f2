import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { CheckField, Field } from '../../ui/form/field.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import { messages } from './messages.ts'
import { SecretForm, type SecretFormProps } from './secret-form.tsx'

export const VariableForm = (props: SecretFormProps<Schemas['Variable']>) => {
  const t = useMessages(messages)
  const api = useApi()
  const [value, setValue] = useState(props.known?.value ?? '')
  const [isSecret, setSecret] = useState(props.known?.secret ?? true)
  return (
    <SecretForm
      {...props}
      what="variable"
      add={t.newVariable}
      facts={({ value: now }) =>
        now === undefined ? [] : [[t.value, <code key="now">{now}</code>]]
      }
      save={(key, headers) => {
        const body = { value, secret: isSecret }
        return api.put('/variables/{key}', { params: { key }, body, headers })
      }}
    >
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
    </SecretForm>
  )
}
