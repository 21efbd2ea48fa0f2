/** An entry of a section: one line, with all its fields when it is open. */
import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { IconButton } from '../../ui/button.tsx'
import { JsonView } from '../../ui/code/json-view.tsx'
import { asJson, purposeOf, type RegistryEntry } from './entries.ts'
import styles from './fields.module.css'
import { messages } from './messages.ts'

export type EntryRowProps = Readonly<{
  entry: RegistryEntry
  isLit: boolean
  onLight: (id: string | null) => void
  onShow: (id: string) => void
}>

const PERCENT = 100

export const EntryRow = ({ entry, isLit, onLight, onShow }: EntryRowProps) => {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  const id = entry.entry_id
  const { is_cancelled } = entry.status
  return (
    <li
      id={`entry ${id}`}
      className={styles.entry}
      data-lit={isLit ? '' : undefined}
      onMouseEnter={() => onLight(id)}
      onMouseLeave={() => onLight(null)}
    >
      <div className={styles.line}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          onFocus={() => onLight(id)}
        >
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          <strong className={styles.rank}>{entry.rank_number}</strong>
          <span className={styles.words}>
            <span data-cancelled={is_cancelled ? '' : undefined}>{purposeOf(entry)}</span>
            <Gist entry={entry} />
          </span>
        </button>
        <span className={styles.score} title={t.confidence}>
          {Math.round(entry.confidence * PERCENT)}
        </span>
        <IconButton label={t.show} icon={<LocateFixed size={15} />} onClick={() => onShow(id)} />
      </div>
      {isOpen ? <JsonView value={asJson(entry)} /> : null}
    </li>
  )
}

/** The essentials of an entry: who, how much, when, and whether it is still in force. */
const Gist = ({ entry }: Readonly<{ entry: RegistryEntry }>) => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const { content, receipt, status, provenance } = entry
  const parts = [
    receipt.date,
    ...content.persons.map(({ role, name, share }) =>
      `${role} ${name}${share === null ? '' : ` (${share})`}`.trim(),
    ),
    ...content.amounts.map(({ type, value }) => `${type} ${number(value)}`),
    status.is_cancelled ? t.cancelled : '',
    provenance.is_visual_cancelled ? t.struck : '',
  ].filter((part) => part !== '')
  return <span className="hint">{parts.join(' · ')}</span>
}
