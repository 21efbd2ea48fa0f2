/** The input of each job or flow run of the schedule. */
import { useEffect, useEffectEvent } from 'react'
import { initialJson, SchemaForm } from '../../../form/schema-form.tsx'
import { Loading } from '../../../ui/notice.tsx'
import type { Draft } from './draft.ts'

export type InputFieldsProps = Readonly<{
  draft: Draft
  /** Undefined while it loads. */
  schema: unknown
  faults: Readonly<Record<string, string>>
  onChange: (change: Partial<Draft>) => void
}>

const EMPTY = '{}'

export const InputFields = ({ draft, schema, faults, onChange }: InputFieldsProps) => {
  const isKnown = schema !== undefined
  // the defaults of the selected target, if nothing was typed yet
  const fill = useEffectEvent(() => {
    const initial = initialJson(schema)
    if (draft.input === EMPTY && initial !== EMPTY) onChange({ input: initial })
  })
  useEffect(() => {
    if (isKnown) fill()
  }, [isKnown])
  if (!isKnown) return <Loading />
  const ownFaults = Object.entries(faults).map(([path, message]) => [
    path.replace(/^input\.?/, ''),
    message,
  ])
  return (
    <SchemaForm
      schema={schema}
      text={draft.input}
      onChange={(input) => onChange({ input })}
      faults={Object.fromEntries(ownFaults)}
    />
  )
}
