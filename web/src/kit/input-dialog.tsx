/** A form that starts work with a JSON input, generated from the input's schema. Typed text is kept until the work has started. */
import type { ReactNode } from 'react'
import type { Json } from '#sdk/mod.ts'
import { inputFaults } from '../form/input-faults.ts'
import { asksForSecret } from '../form/schema-field.ts'
import { parseJson, SchemaForm } from '../form/schema-form.tsx'
import { useKeptState } from '../form/use-kept-state.ts'
import { useRequestKey } from '../form/use-request-key.ts'
import { ActionDialog } from './dialog.tsx'

export type InputDialogProps<Answer> = Readonly<{
  title: string
  /** The label of the button. */
  send: string
  failed: string
  note: ReactNode
  schema: unknown
  /** The initial JSON text. */
  initial: string
  /** The name under which the text is kept. */
  draft: string
  /** The key is the same for each attempt to send the same text. */
  start: (input: Json, idempotencyKey: string) => Promise<Answer>
  onStarted: (answer: Answer) => void
  onClose: () => void
}>

export const InputDialog = <Answer,>({
  note,
  schema,
  initial,
  draft,
  start,
  onStarted,
  ...form
}: InputDialogProps<Answer>) => {
  const [text, setText, forget] = useKeptState(draft, initial, !asksForSecret(schema))
  const value = parseJson(text)
  const key = useRequestKey(text)
  return (
    <ActionDialog
      {...form}
      isWide
      noValidate
      run={() => start(value ?? null, key)}
      isComplete={value !== undefined}
      touches={[]}
      onDone={forget}
      leadOn={(answer) => {
        form.onClose()
        onStarted(answer)
      }}
    >
      {(error) => (
        <>
          <p>{note}</p>
          <SchemaForm schema={schema} text={text} onChange={setText} faults={inputFaults(error)} />
        </>
      )}
    </ActionDialog>
  )
}
