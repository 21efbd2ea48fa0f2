/** One property of a form that is generated from a JSON Schema. An empty property is left out. */
import { useState } from 'react'
import type { Json } from '#sdk/mod.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { Field } from '../ui/form/field.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import type { SchemaField } from './schema-field.ts'
import { readTyped, type TypedKind, typedText } from './typed-value.ts'

const messages = defineMessages({
  notNumber: { en: 'Enter a number.', ko: '숫자를 입력하세요.' },
  choose: { en: '(none)', ko: '(없음)' },
  json: {
    en: (example: string) => `JSON, such as ${example}`,
    ko: (example: string) => `JSON 형식입니다. 예: ${example}`,
  },
  yes: { en: 'true', ko: '예' },
  no: { en: 'false', ko: '아니요' },
})

export type SchemaInputProps = Readonly<{
  field: SchemaField
  value: Json | undefined
  fault: string | undefined
  onChange: (value: Json | undefined) => void
}>

const shown = (value: Json | undefined): string => {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const SchemaInput = (props: SchemaInputProps) => {
  const { field, value, fault, onChange } = props
  const t = useMessages(messages)
  const frame = {
    label: field.label,
    isRequired: field.isRequired,
    fault,
    ...(field.hint === null ? {} : { hint: field.hint }),
  }
  if (field.kind === 'number' || field.kind === 'json') {
    return <ParsedInput {...props} kind={field.kind} />
  }
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const options = field.kind === 'boolean' ? [true, false] : field.options
    const label = (option: Json): string =>
      typeof option === 'boolean' ? (option ? t.yes : t.no) : shown(option)
    const at = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value))
    return (
      <Field {...frame}>
        {(control) => (
          <select
            {...control}
            value={at}
            onChange={(event) => onChange(options[Number(event.target.value)])}
          >
            <option value={-1}>{t.choose}</option>
            {options.map((option, index) => (
              <option key={JSON.stringify(option)} value={index}>
                {label(option)}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  }
  const write = (text: string): void =>
    onChange(text === '' && !field.isRequired ? undefined : text)
  const isSecret = field.inputType === 'password'
  if (isSecret && field.kind === 'long_text') {
    return <SecretField {...frame} value={shown(value)} onChange={write} />
  }
  return (
    <Field {...frame}>
      {(control) =>
        field.kind === 'long_text' ? (
          <textarea {...control} value={shown(value)} onChange={(e) => write(e.target.value)} />
        ) : (
          <input
            {...control}
            type={field.inputType}
            // the browser does not fill in the user's own password
            autoComplete={isSecret ? 'new-password' : undefined}
            value={shown(value)}
            onChange={(event) => write(event.target.value)}
          />
        )
      }
    </Field>
  )
}

/** Longer examples are left out. */
const MOST_EXAMPLE = 120

/** The description of a field; for one that is edited as JSON, with an example. */
const useHint = ({ kind, hint, example }: SchemaField): string | undefined => {
  const t = useMessages(messages)
  const sample = JSON.stringify(example)
  const json = kind === 'json' && sample.length <= MOST_EXAMPLE ? t.json(sample) : null
  const parts = [hint, json].filter((part) => part !== null)
  return parts.length === 0 ? undefined : parts.join(' · ')
}

const ParsedInput = ({
  field,
  value,
  fault,
  onChange,
  kind,
}: SchemaInputProps & Readonly<{ kind: TypedKind }>) => {
  const t = useMessages(messages)
  const [typed, setTyped] = useState(() => typedText(kind, value))
  const hint = useHint(field)
  const own = kind === 'number' ? t.notNumber : t.notJson
  // the value was changed in the JSON tab, or reset
  const isBehind = JSON.stringify(readTyped(kind, typed).value) !== JSON.stringify(value)
  const text = isBehind ? typedText(kind, value) : typed
  const { isValid } = readTyped(kind, text)
  const write = (next: string): void => {
    setTyped(next)
    onChange(readTyped(kind, next).value)
  }
  return (
    <Field
      label={field.label}
      isRequired={field.isRequired}
      fault={isValid ? fault : own}
      {...(hint === undefined ? {} : { hint })}
    >
      {(control) =>
        kind === 'json' ? (
          <textarea {...control} value={text} onChange={(event) => write(event.target.value)} />
        ) : (
          <input
            {...control}
            type="text"
            inputMode={field.isInteger ? 'numeric' : 'decimal'}
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        )
      }
    </Field>
  )
}
