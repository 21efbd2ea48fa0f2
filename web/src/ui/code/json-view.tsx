/** JSON as a tree that expands on demand, so that a large value costs only what is expanded. Values are text, never markup. */
import { useState } from 'react'
import type { Json } from '#sdk/mod.ts'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { CopyButton } from '../copy-button.tsx'
import { escapeHidden, jsonText } from './json-text.ts'
import styles from './json-view.module.css'

const messages = defineMessages({
  more: { en: (n: number) => `show ${n} more`, ko: (n: number) => `${n}개 더 보기` },
  all: { en: 'show all', ko: '전부 보기' },
})

const OPEN_DEPTH = 2
const CHILDREN_AT_ONCE = 100
const TEXT_AT_ONCE = 2_000

export const JsonView = ({ value }: Readonly<{ value: Json }>) => (
  <div className={styles.view}>
    <span className={styles.copy}>
      <CopyButton text={() => JSON.stringify(value, null, 2)} />
    </span>
    <Value value={value} depth={0} />
  </div>
)

type Nested = Readonly<{ value: Json; depth: number }>

const Value = ({ value, depth }: Nested) => {
  if (typeof value === 'string') return <Text text={value} />
  if (typeof value === 'number') return <span className={styles.number}>{value}</span>
  if (value === null || typeof value === 'boolean') {
    return <span className={styles.word}>{String(value)}</span>
  }
  const isList = Array.isArray(value)
  const children: readonly (readonly [string, Json | undefined])[] = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (children.length === 0) return <span className={styles.faint}>{`${open}${close}`}</span>
  return <Branch marks={[open, close]} entries={children} isList={isList} depth={depth} />
}

type BranchProps = Readonly<{
  marks: readonly [string | undefined, string | undefined]
  entries: readonly (readonly [string, Json | undefined])[]
  isList: boolean
  depth: number
}>

const Branch = ({ marks: [open, close], entries, isList, depth }: BranchProps) => {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const [most, setMost] = useState(CHILDREN_AT_ONCE)
  const toggle = (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={isOpen}
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? `▾ ${open}` : `▸ ${open} ${entries.length} ${close}`}
    </button>
  )
  if (!isOpen) return toggle
  const rest = entries.length - most
  return (
    <>
      {toggle}
      <div className={styles.children}>
        {entries.slice(0, most).map(([name, child]) => (
          <div key={name}>
            <span className={isList ? styles.faint : styles.name}>{escapeHidden(name)}</span>
            <span className={styles.faint}>: </span>
            <Value value={child ?? null} depth={depth + 1} />
          </div>
        ))}
        {rest > 0 ? (
          <button type="button" className={styles.toggle} onClick={() => setMost(most * 10)}>
            {t.more(rest)}
          </button>
        ) : null}
      </div>
      <span className={styles.faint}>{close}</span>
    </>
  )
}

const Text = ({ text }: Readonly<{ text: string }>) => {
  const t = useMessages(messages)
  const [isWhole, setWhole] = useState(text.length <= TEXT_AT_ONCE)
  return (
    <span className={styles.text}>
      {jsonText(isWhole ? text : text.slice(0, TEXT_AT_ONCE))}
      {isWhole ? null : (
        <button type="button" className={styles.toggle} onClick={() => setWhole(true)}>
          {` … ${t.all}`}
        </button>
      )}
    </span>
  )
}
