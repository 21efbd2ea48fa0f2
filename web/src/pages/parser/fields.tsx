/** The fields of a certificate by section. Pointing at an entry highlights it on the page. */
import type { ReactNode } from 'react'
import { useMessages } from '../../language/messages.ts'
import { JsonView } from '../../ui/code/json-view.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Confidence } from './confidence.tsx'
import { asJson, type Parsed, titleParts } from './entries.ts'
import { EntryRow } from './entry-row.tsx'
import styles from './fields.module.css'
import { messages } from './messages.ts'

export type FieldsProps = Readonly<{
  parsed: Parsed
  lit: string | null
  onLight: (id: string | null) => void
  /** Turns to the page of an entry. */
  onShow: (id: string) => void
}>

export const Fields = ({ parsed, ...pointing }: FieldsProps) => {
  const t = useMessages(messages)
  const { data } = parsed
  return (
    <div className={styles.fields}>
      <Confidence parsed={parsed} />
      <Section title={t.overview}>
        <Facts
          facts={[
            [t.uniqueNumber, data.unique_number],
            [t.kind, t.kindOf(data.profile.property_type)],
            [t.address, data.property_address],
            [t.viewed, data.viewed_at],
            [t.issued, data.issued_at],
            [t.pages, data.source.page_count],
          ]}
        />
      </Section>
      <Section title={t.titleSection}>
        <Title title={data.title} />
      </Section>
      <Section title={t.sectionA}>
        <Entries entries={data.section_a} {...pointing} />
      </Section>
      <Section title={t.sectionB}>
        <Entries entries={data.section_b} {...pointing} />
      </Section>
      {data.trade_lists.length === 0 ? null : (
        <Section title={t.tradeLists}>
          <JsonView value={data.trade_lists} />
        </Section>
      )}
      {data.major_summary === null ? null : (
        <Section title={t.summary}>
          <JsonView value={data.major_summary} />
        </Section>
      )}
    </div>
  )
}

const Title = ({ title }: Readonly<{ title: Parsed['data']['title'] }>) => {
  const { values, lists } = titleParts(title)
  return (
    <>
      <Facts facts={values} />
      {lists.map(([name, rows]) => (
        <details key={name} className={styles.list}>
          <summary>
            <code>{name}</code> {rows.length}
          </summary>
          <JsonView value={asJson(rows)} />
        </details>
      ))}
    </>
  )
}

const Section = ({ title, children }: Readonly<{ title: string; children: ReactNode }>) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
)

type EntriesProps = Omit<FieldsProps, 'parsed'> & Readonly<{ entries: Parsed['data']['section_a'] }>

const Entries = ({ entries, lit, onLight, onShow }: EntriesProps) => {
  const t = useMessages(messages)
  if (entries.length === 0) return <p className="quiet">{t.none}</p>
  return (
    <ul className={styles.entries}>
      {entries.map((entry) => (
        <EntryRow
          key={entry.entry_id}
          entry={entry}
          isLit={entry.entry_id === lit}
          onLight={onLight}
          onShow={onShow}
        />
      ))}
    </ul>
  )
}
