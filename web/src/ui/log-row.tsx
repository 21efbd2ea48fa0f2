/** One line of a log: its number, when it came and on which stream, and its text with its colours. */
import { useFormat } from '../language/format.ts'
import { readAnsi } from './ansi.ts'
import { type LogLine, markSpans } from './log-lines.ts'
import styles from './log-view.module.css'

export type LogRowProps = Readonly<{
  line: LogLine
  number: number
  hasTime: boolean
  /** What is searched for; empty: nothing. */
  wanted: string
}>

export const LogRow = ({ line, number, hasTime, wanted }: LogRowProps) => {
  const { clock, exact } = useFormat()
  const { at, stream, text } = line
  return (
    <>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      {hasTime ? (
        <>
          <time className={styles.time} dateTime={at} title={exact(at)}>
            {clock(at)}
          </time>
          <span className={styles.stream}>{stream}</span>
        </>
      ) : null}
      {markSpans(readAnsi(text), wanted).map((span, index) => {
        const { text: part, tone, isBold, isFound } = span
        const Part = isFound ? 'mark' : 'span'
        return (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
            key={index}
            className={`${tone === null ? '' : (styles[tone] ?? '')} ${isBold ? styles.bold : ''}`}
          >
            {part}
          </Part>
        )
      })}
    </>
  )
}
