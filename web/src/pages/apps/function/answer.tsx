/** Status, time, headers and body of a response. HTML from the function is shown as text and never runs here. */
import { parseJson } from '../../../form/schema-form.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { JsonView } from '../../../ui/code/json-view.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { reachableScroller } from '../../../ui/reachable-scroller.ts'
import { type FunctionAnswer, textOf } from './call-function.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const FIRST_FAULT = 400

export const Answer = ({ answer }: Readonly<{ answer: FunctionAnswer }>) => {
  const t = useMessages(messages)
  const { duration, number } = useFormat()
  const { status, statusText, headers, tookMs, bytes } = answer
  return (
    <>
      <p className={styles.answer}>
        <strong data-tone={status >= FIRST_FAULT ? 'bad' : 'good'}>
          {status} {statusText}
        </strong>
        <span>{duration(tookMs)}</span>
        <span className="quiet">{number(bytes.length)} B</span>
      </p>
      <Body answer={answer} />
      <details className={styles.headers}>
        <summary>
          {t.headers} ({headers.length})
        </summary>
        <Facts facts={headers} />
      </details>
    </>
  )
}

const MOST_SHOWN = 100_000

const Body = ({ answer: { bytes, type } }: Readonly<{ answer: FunctionAnswer }>) => {
  const t = useMessages(messages)
  const { number } = useFormat()
  if (bytes.length === 0) return <p className="quiet">{t.emptyBody}</p>
  const text = textOf(bytes)
  if (text === null) {
    return <p className="quiet">{t.binary(number(bytes.length), type)}</p>
  }
  const value = type.includes('json') ? parseJson(text) : undefined
  if (value !== undefined) return <JsonView value={value} />
  return (
    <>
      <pre className={styles.text} ref={reachableScroller}>
        {text.slice(0, MOST_SHOWN)}
      </pre>
      <div>
        <CopyButton text={text} />
        {text.length > MOST_SHOWN ? t.longBody(number(MOST_SHOWN)) : null}
      </div>
    </>
  )
}
