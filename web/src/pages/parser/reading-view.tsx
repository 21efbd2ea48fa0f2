/** A parsed certificate: its pages next to its fields. Pointing at one highlights the other. */
import { useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { JsonView } from '../../ui/code/json-view.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { asJson, firstPage, marksOf, pageOf, unreadOf } from './entries.ts'
import { Fields } from './fields.tsx'
import { messages } from './messages.ts'
import { PageView } from './page-view.tsx'
import styles from './reading-view.module.css'
import type { Reading } from './use-parse.ts'

type Part = 'fields' | 'diagnostics' | 'json'

export const ReadingView = ({ reading: { file, parsed } }: Readonly<{ reading: Reading }>) => {
  const t = useMessages(messages)
  const marks = marksOf(parsed)
  const pageCount = Math.max(parsed.data.source.page_count, 1)
  const [page, setPage] = useState(Math.min(firstPage(marks), pageCount))
  const [lit, setLit] = useState<string | null>(null)
  const [part, setPart] = useState<Part>('fields')
  const show = (id: string): void => {
    const at = pageOf(id)
    if (at !== null && at <= pageCount) setPage(at)
    setLit(id)
  }
  const findings = parsed.data.diagnostics.errors.length + parsed.data.diagnostics.warnings.length
  return (
    <div className={styles.columns}>
      <PageView
        file={file}
        marks={marks}
        unread={unreadOf(parsed)}
        page={page}
        pageCount={pageCount}
        onPage={setPage}
        lit={lit}
        onLight={setLit}
        onChoose={(id) => {
          setPart('fields')
          setLit(id)
          requestAnimationFrame(() => {
            document.getElementById(`entry ${id}`)?.scrollIntoView({ block: 'nearest' })
          })
        }}
      />
      <Tabs
        label={t.parts}
        open={part}
        onOpen={setPart}
        items={[
          {
            name: 'fields',
            label: t.fields,
            content: <Fields parsed={parsed} lit={lit} onLight={setLit} onShow={show} />,
          },
          {
            name: 'diagnostics',
            label: findings === 0 ? t.diagnostics : `${t.diagnostics} (${findings})`,
            content: <Diagnostics parsed={parsed} onShow={show} />,
          },
          { name: 'json', label: t.json, content: <JsonView value={asJson(parsed)} /> },
        ]}
      />
    </div>
  )
}
