/** The input of a trial, as a form or as JSON. Typed text survives a reload. */
import { Play } from 'lucide-react'
import { useId } from 'react'
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { inputFaults } from '../../../form/input-faults.ts'
import { asksForSecret } from '../../../form/schema-field.ts'
import { initialJson, parseJson, SchemaForm } from '../../../form/schema-form.tsx'
import { submitKeys } from '../../../form/submit-keys.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { messages } from './messages.ts'
import styles from './try-panel.module.css'

type TryFormProps = Readonly<{
  app: string
  action: Schemas['Action']
  error: Error | null
  isBusy: boolean
  onRun: (input: Json) => void
}>

export const TryForm = ({ app, action, error, isBusy, onRun }: TryFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const id = useId()
  const initial = initialJson(action.input_schema)
  const [text, setText] = useKeptState(
    `try ${ws} ${app} ${action.key}`,
    initial,
    !asksForSecret(action.input_schema),
  )
  const value = parseJson(text)
  const start = (): void => {
    if (value !== undefined && !isBusy) onRun(value)
  }
  return (
    <form className={styles.pane} aria-labelledby={id} {...submitKeys(start)}>
      <h3 id={id}>{t.input}</h3>
      <SchemaForm
        schema={action.input_schema}
        text={text}
        onChange={setText}
        faults={inputFaults(error)}
      />
      <div>
        <Button
          type="submit"
          look="primary"
          disabled={isBusy || value === undefined}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          <Play size={15} aria-hidden="true" />
          {t.run}
        </Button>
      </div>
    </form>
  )
}
