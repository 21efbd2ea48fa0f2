/** Runs an action, with a form generated from its schema or with JSON. Typed text survives a reload. */
import { useNavigate } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useId, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'
import { isApple } from '../../../browser/platform.ts'
import { inputFaults } from '../../../form/input-faults.ts'
import { asksForSecret } from '../../../form/schema-field.ts'
import { initialJson, parseJson, SchemaForm } from '../../../form/schema-form.tsx'
import { submitKeys } from '../../../form/submit-keys.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useRequestKey } from '../../../form/use-request-key.ts'
import { usePaletteCommand } from '../../../kit/palette-commands.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

export type RunOptions = Readonly<{ priority: string; tag: string; later: string }>
const NO_OPTIONS: RunOptions = { priority: '', tag: '', later: '' }

/** Converts the options to query parameters of the API. The time is in the reader's time zone. */
const toQuery = ({ priority, tag, later }: RunOptions) => ({
  ...(priority === '' ? {} : { priority }),
  ...(tag === '' ? {} : { tag }),
  ...(later === '' ? {} : { scheduled_for: new Date(later).toISOString() }),
})

type RunFormProps = Readonly<{ app: string; action: Schemas['Action'] }>

export const RunForm = ({ app, action }: RunFormProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const navigate = useNavigate()
  const api = useApi()
  const id = useId()
  const initial = initialJson(action.input_schema)
  const [text, setText, forget] = useKeptState(
    `run ${ws} ${app} ${action.key}`,
    initial,
    !asksForSecret(action.input_schema),
  )
  const [options, setOptions] = useState(NO_OPTIONS)
  const value = parseJson(text)
  const idempotencyKey = useRequestKey(JSON.stringify([text, options]))
  const run = useChange({
    change: (body: Json) =>
      api.post('/jobs/run/{app}/{action}', {
        params: { app, action: action.key },
        query: toQuery(options),
        body,
        idempotencyKey,
      }),
    touches: [],
    onDone: forget,
    leadOn: ({ job_id: id }) => void navigate({ to: '/w/$ws/jobs/$id', params: { ws, id } }),
  })
  const start = (): void => {
    if (value !== undefined && !run.isBusy) run.run(value)
  }
  usePaletteCommand(`${t.run} ${app}/${action.key}`, start)
  return (
    <form className={styles.form} aria-labelledby={id} {...submitKeys(start)}>
      <h2 id={id} hidden>
        {`${t.run} ${app}/${action.key}`}
      </h2>
      {run.error === null ? null : <ErrorState error={run.error} title={t.notRun} />}
      {action.input_schema === null ? <p className="quiet">{t.noSchema}</p> : null}
      <SchemaForm
        schema={action.input_schema}
        text={text}
        onChange={setText}
        faults={inputFaults(run.error)}
      />
      <Options options={options} onChange={setOptions} placeholder={action.tag} />
      <div className={styles.foot}>
        <Button type="submit" look="primary" disabled={run.isBusy || value === undefined}>
          <Play size={15} aria-hidden="true" />
          {options.later === '' ? t.runNow : t.schedule}
        </Button>
        {text === initial ? null : (
          <Button look="quiet" onClick={() => setText(initial)}>
            {t.reset}
          </Button>
        )}
        <kbd>{isApple ? '⌘↵' : 'Ctrl ↵'}</kbd>
      </div>
    </form>
  )
}

const Options = ({
  options,
  onChange,
  placeholder,
}: Readonly<{
  options: RunOptions
  onChange: (options: RunOptions) => void
  placeholder: string
}>) => {
  const t = useMessages(messages)
  return (
    <details className={styles.options}>
      <summary>{t.options}</summary>
      <div>
        <TextField
          label={t.later}
          hint={t.laterHint}
          type="datetime-local"
          value={options.later}
          onText={(text) => onChange({ ...options, later: text })}
        />
        <TextField
          label={t.priority}
          hint={t.priorityHint}
          type="number"
          min={-100}
          max={100}
          step={1}
          value={options.priority}
          onText={(text) => onChange({ ...options, priority: text })}
        />
        <TextField
          label={t.tag}
          hint={t.tagHint}
          placeholder={placeholder}
          pattern="[\w.\-]{1,64}"
          value={options.tag}
          onText={(text) => onChange({ ...options, tag: text })}
        />
      </div>
    </details>
  )
}
