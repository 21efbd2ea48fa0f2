/** One line of a log: its number, its time and stream, and its text with colours. */
import { Fragment, type ReactNode } from 'react'
import { useFormat } from '../../language/format.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { type SourcePlace, sourcePlaces } from '../source-places.ts'
import { readAnsi } from './ansi.ts'
import { type LogLine, markSpans, shownPart } from './log-lines.ts'
import styles from './log-view.module.css'

const messages = defineMessages({
  more: {
    en: (count: string) => `… ${count} more characters`,
    ko: (count: string) => `… ${count}자 더 있음`,
  },
})

export type LogRowProps = Readonly<{
  line: LogLine
  /** The number is not shown if it is null. */
  number: number | null
  hasTime: boolean
  /** The search text. Empty if there is no search. */
  wanted: string
  /** Shows a source place, usually as a link. Without it, places are text. */
  showPlace?: ShowPlace
}>

export type ShowPlace = (place: SourcePlace, text: string) => ReactNode

export const LogRow = ({ line, number, hasTime, wanted, showPlace }: LogRowProps) => {
  const { clock, exact, number: count } = useFormat()
  const t = useMessages(messages)
  const { at, stream } = line
  const { text, before, after } = shownPart(line.text, wanted)
  return (
    <>
      {number === null ? null : (
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
      )}
      {hasTime ? (
        <>
          <time className={styles.time} dateTime={at} title={exact(at)}>
            {clock(at)}
          </time>
          <span className={styles.stream}>{stream}</span>
        </>
      ) : null}
      {before === 0 ? null : <span className="quiet">… </span>}
      {markSpans(readAnsi(text), wanted).map((span, index) => {
        const { text: part, tone, isBold, isFound } = span
        const Part = isFound ? 'mark' : 'span'
        return (
          <Part
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
            key={index}
            className={`${tone === null ? '' : (styles[tone] ?? '')} ${isBold ? styles.bold : ''}`}
          >
            {showPlace === undefined ? part : <WithPlaces text={part} showPlace={showPlace} />}
          </Part>
        )
      })}
      {after === 0 ? null : <span className={styles.rest}>{t.more(count(after))}</span>}
    </>
  )
}

const WithPlaces = ({ text, showPlace }: Readonly<{ text: string; showPlace: ShowPlace }>) =>
  sourcePlaces(text).map(({ text: part, place }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
    <Fragment key={index}>{place === null ? part : showPlace(place, part)}</Fragment>
  ))
