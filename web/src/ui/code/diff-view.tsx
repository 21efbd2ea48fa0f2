/** The difference between two texts as unified hunks: line numbers, added and removed lines, and a few equal lines around them. */
import { useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { Button } from '../button.tsx'
import { firstLines, type Hunk, numberLines } from './diff-lines.ts'
import styles from './diff-view.module.css'

const messages = defineMessages({
  same: {
    en: (n: number) => (n === 1 ? '1 unchanged line' : `${n} unchanged lines`),
    ko: (n: number) => `동일한 ${n}줄`,
  },
  rest: {
    en: (n: string) => `Show ${n} more lines`,
    ko: (n: string) => `${n}줄 더 보기`,
  },
})

/** More lines at once freeze the page. Results of a long loop may have 100,000. */
const LINES_AT_ONCE = 1_000

const MARKS = { same: ' ', added: '+', removed: '−' } as const

export const DiffView = ({ label, hunks }: Readonly<{ label: string; hunks: readonly Hunk[] }>) => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const [most, setMost] = useState(LINES_AT_ONCE)
  const rest = hunks.reduce((sum, { lines }) => sum + lines.length, 0) - most
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {numberLines(firstLines(hunks, most)).map(({ skipped, lines }) => (
        <div key={`${lines[0]?.before} ${lines[0]?.after}`}>
          {skipped === 0 ? null : <p className={styles.skipped}>{t.same(skipped)}</p>}
          {lines.map(({ kind, text, before, after }) => (
            <div key={`${before} ${after}`} data-kind={kind}>
              <span className={styles.number} data-number={before ?? ''} />
              <span className={styles.number} data-number={after ?? ''} />
              <span className={styles.mark} aria-hidden={kind === 'same'}>
                {MARKS[kind]}
              </span>
              {text}
            </div>
          ))}
        </div>
      ))}
      {rest > 0 ? (
        <Button look="quiet" onClick={() => setMost(most + LINES_AT_ONCE)}>
          {t.rest(number(Math.min(rest, LINES_AT_ONCE)))}
        </Button>
      ) : null}
    </section>
  )
}
