/** The confidence of the parser, overall and by section. */
import { useMessages } from '../../language/messages.ts'
import type { Parsed } from './entries.ts'
import styles from './fields.module.css'
import { messages } from './messages.ts'

const MOST = 100

export const Confidence = ({ parsed: { confidence } }: Readonly<{ parsed: Parsed }>) => {
  const t = useMessages(messages)
  const names: Readonly<Record<string, string>> = {
    title: t.titleSection,
    section_a: t.sectionA,
    section_b: t.sectionB,
    trade_lists: t.tradeLists,
    major_summary: t.summary,
  }
  return (
    <section className={styles.confidence} aria-label={t.confidence}>
      <span>
        {t.confidence} <strong>{confidence.overall}</strong> {t.level(confidence.level)}
      </span>
      <dl>
        {Object.entries(confidence.details).map(([name, score]) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>
              <meter min={0} max={MOST} value={score} aria-label={names[name] ?? name} /> {score}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
