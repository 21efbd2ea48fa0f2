/** Calls the function from the console, and shows its whole response. */
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useId, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { parseJson } from '../../../form/schema-form.tsx'
import { submitKeys } from '../../../form/submit-keys.ts'
import { useKeptState } from '../../../form/use-kept-state.ts'
import { useMessages } from '../../../language/messages.ts'
import { useWorkspace } from '../../../session/api.ts'
import { queryClient } from '../../../session/query-client.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeEditor } from '../../../ui/code/code-editor.tsx'
import { Field, SelectField, TextField } from '../../../ui/form/field.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { Answer } from './answer.tsx'
import {
  callFunction,
  type FunctionRequest,
  type HeaderPairs,
  readHeaders,
  takesBody,
} from './call-function.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

/** Sends a JSON body as JSON, unless a header sets another type. */
const withType = (
  pairs: HeaderPairs,
  { method, body }: Pick<FunctionRequest, 'method' | 'body'>,
) =>
  takesBody(method) &&
  parseJson(body) !== undefined &&
  !pairs.some(([name]) => name.toLowerCase() === 'content-type')
    ? [...pairs, ['content-type', 'application/json'] as const]
    : pairs

type TryItProps = Readonly<{ app: string; found: Schemas['Function'] }>

export const TryIt = ({ app, found }: TryItProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const id = useId()
  const name = `try ${ws} ${app} ${found.name}`
  const [method, setMethod] = useKeptState(`${name} method`, found.methods[0] ?? 'GET')
  const [query, setQuery] = useKeptState(`${name} query`, '')
  const [body, setBody] = useKeptState(`${name} body`, '{}')
  // a header may contain a secret, so a reload does not keep it
  const [headers, setHeaders] = useState('')
  const pairs = readHeaders(headers)
  const call = useMutation({
    mutationFn: () => {
      const request: FunctionRequest = {
        // use this server, even if the function's URL has another host name
        path: new URL(found.url).pathname,
        method,
        query,
        body,
      }
      return callFunction(request, typeof pairs === 'string' ? [] : withType(pairs, request))
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [ws, 'calls', app, found.name] }),
  })
  const send = (): void => {
    if (typeof pairs !== 'string' && !call.isPending) call.mutate()
  }
  return (
    <div className={styles.panes}>
      <form className={styles.pane} aria-labelledby={id} {...submitKeys(send)}>
        <h2 id={id}>{t.request}</h2>
        <div className={styles.line}>
          <SelectField
            label={t.method}
            value={method}
            onChange={setMethod}
            options={found.methods.map((value) => ({ value, label: value }))}
          />
          <TextField isExact label={t.query} hint={t.queryHint} value={query} onText={setQuery} />
        </div>
        <Field
          label={t.headers}
          hint={t.headersHint}
          fault={typeof pairs === 'string' ? t.badHeaders(pairs) : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              rows={2}
              spellCheck={false}
              autoComplete="off"
              value={headers}
              onChange={(event) => setHeaders(event.target.value)}
            />
          )}
        </Field>
        {takesBody(method) ? (
          <div className={styles.pane}>
            <strong>{t.body}</strong>
            <CodeEditor value={body} onChange={setBody} language="json" label={t.body} />
          </div>
        ) : null}
        <div>
          <Button
            type="submit"
            look="primary"
            disabled={call.isPending || typeof pairs === 'string'}
          >
            <Send size={15} aria-hidden="true" />
            {t.send}
          </Button>
        </div>
      </form>
      <section className={styles.pane} aria-label={t.response} aria-live="polite">
        <h2>{t.response}</h2>
        {call.error !== null ? (
          <ErrorState error={call.error} title={t.notSent} />
        ) : call.data === undefined ? (
          <p className="quiet">{t.noResponse}</p>
        ) : (
          <Answer answer={call.data} />
        )}
      </section>
    </div>
  )
}
