/** The difference between two texts as unified hunks: line numbers, added and removed lines, and a few equal lines around them. */
import { defineMessages, useMessages } from '../language/messages.ts'
import { type Hunk, numberLines } from './diff-lines.ts'
import styles from './diff-view.module.css'

const messages = defineMessages({
  same: {
    en: (n: number) => (n === 1 ? '1 unchanged line' : `${n} unchanged lines`),
    ko: (n: number) => `동일한 ${n}줄`,
  },
})

const MARKS = { same: ' ', added: '+', removed: '−' } as const

export const DiffView = ({ label, hunks }: Readonly<{ label: string; hunks: readonly Hunk[] }>) => {
  const t = useMessages(messages)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {numberLines(hunks).map(({ skipped, lines }) => (
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
    </section>
  )
}
