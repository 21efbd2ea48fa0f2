/**
 * A form generated from a JSON Schema, with a second tab that shows the same value as JSON. The caller keeps the text of
 * the JSON, which is what it sends, whichever tab it was written in.
 *
 *     const [text, setText] = useKeptState(`run ${ws} ${app} ${action}`, initialJson(schema))
 *     <SchemaForm schema={schema} text={text} onChange={setText} faults={faults} />
 */
import { useState } from 'react'
import type { Json } from '#sdk/mod.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useServerSentence } from '../language/use-server-sentence.ts'
import { CodeEditor } from '../ui/code/code-editor.tsx'
import { isObject } from '../ui/json-object.ts'
import { Tabs } from '../ui/tabs.tsx'
import { faultOf } from './input-faults.ts'
import { isBlank, type SchemaField, schemaDefaults, schemaFields } from './schema-field.ts'
import styles from './schema-form.module.css'
import { SchemaInput } from './schema-input.tsx'
import { parseFinite } from './typed-value.ts'

const messages = defineMessages({
  form: { en: 'Form', ko: '양식' },
  broken: {
    en: 'This is not valid JSON. Fix it in the JSON tab.',
    ko: '아직 올바른 JSON이 아닙니다. JSON 탭에서 수정하세요.',
  },
})

export type SchemaFormProps = Readonly<{
  schema: unknown
  text: string
  onChange: (text: string) => void
  /** Faults that the server found, by path within the value, such as `customer.name`. */
  faults?: Readonly<Record<string, string>>
}>

/** @returns undefined if the text is not JSON */
export const parseJson = (text: string): Json | undefined => {
  try {
    return parseFinite(text)
  } catch {
    return undefined
  }
}

const toText = (value: Json): string => JSON.stringify(value, null, 2)

export const initialJson = (schema: unknown): string => toText(schemaDefaults(schema))

export const SchemaForm = ({ schema, text, onChange, faults = {} }: SchemaFormProps) => {
  const t = useMessages(messages)
  const fields = schemaFields(schema)
  const [open, setOpen] = useState<'form' | 'json'>('form')
  const value = parseJson(text)
  const editor = (
    <div className="stack-1">
      <CodeEditor
        value={text}
        onChange={onChange}
        language="json"
        label={t.input}
        isInvalid={value === undefined}
      />
      {value === undefined ? (
        <span className="bad" role="alert">
          {t.notJson}
        </span>
      ) : null}
    </div>
  )
  if (fields.length === 0) return editor
  const form =
    value === undefined ? (
      <p role="alert">{t.broken}</p>
    ) : (
      <SchemaFields
        fields={fields}
        value={value}
        path=""
        faults={faults}
        onChange={(next) => onChange(toText(next))}
      />
    )
  return (
    <Tabs
      label={t.input}
      open={open}
      onOpen={setOpen}
      items={[
        { name: 'form', label: t.form, content: form },
        { name: 'json', label: t.json, content: editor },
      ]}
    />
  )
}

type FieldsProps = Readonly<{
  fields: readonly SchemaField[]
  value: Json
  path: string
  faults: Readonly<Record<string, string>>
  /** Whether they belong to a group that may be left out, and is. @default false */
  isLeftOut?: boolean
  onChange: (value: Json) => void
}>

/** Sets a property. Undefined removes it. */
const withProperty = (value: Json, name: string, next: Json | undefined): Json => {
  const entries = Object.entries(isObject(value) ? value : {}).filter(([key]) => key !== name)
  return Object.fromEntries(next === undefined ? entries : [...entries, [name, next]])
}

const SchemaFields = ({
  fields,
  value,
  path,
  faults,
  isLeftOut = false,
  onChange,
}: FieldsProps) => {
  const inOwnWords = useServerSentence()
  return (
    <div className="stack-3">
      {fields.map((field) => {
        const own = isObject(value) ? value[field.name] : undefined
        const at = path === '' ? field.name : `${path}.${field.name}`
        const isRequired = field.isRequired && !isLeftOut
        const change = (next: Json | undefined): void =>
          onChange(withProperty(value, field.name, next))
        if (field.kind === 'group') {
          return (
            <fieldset key={field.name} className={styles.group}>
              <legend>{field.label}</legend>
              <SchemaFields
                fields={field.fields}
                value={own ?? {}}
                path={at}
                faults={faults}
                isLeftOut={!isRequired && own === undefined}
                onChange={(next) => change(!isRequired && isBlank(next) ? undefined : next)}
              />
            </fieldset>
          )
        }
        return (
          <SchemaInput
            key={field.name}
            field={{ ...field, isRequired }}
            value={own}
            fault={faultOf(faults, at, inOwnWords)}
            onChange={change}
          />
        )
      })}
    </div>
  )
}
