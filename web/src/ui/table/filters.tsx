/** A row of filters. Their values are in the address, so that a link shows what its sender saw. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { Button } from '../button.tsx'
import styles from './filters.module.css'

const messages = defineMessages({
  filters: { en: 'Filters', ko: '필터' },
  clear: { en: 'Clear', ko: '지우기' },
})

export type FiltersProps = Readonly<{
  children: ReactNode
  /** Null if no filter is set. */
  onClear: (() => void) | null
}>

export const Filters = ({ children, onClear }: FiltersProps) => {
  const t = useMessages(messages)
  return (
    <search className={styles.filters} aria-label={t.filters}>
      {children}
      {onClear === null ? null : (
        <Button look="quiet" onClick={onClear}>
          {t.clear}
        </Button>
      )}
    </search>
  )
}

export type SelectFilterProps<Value extends string> = Readonly<{
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly Readonly<{ value: Value; label: string }>[]
}>

export const SelectFilter = <Value extends string>({
  label,
  value,
  onChange,
  options,
}: SelectFilterProps<Value>) => (
  <label>
    {label}
    <select
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value)
        if (chosen !== undefined) onChange(chosen.value)
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
)

const SETTLED_MS = 300

export type TextFilterProps = Readonly<{
  label: string
  value: string
  onChange: (value: string) => void
  /** Suggested values. Other values may be typed too. */
  offered?: readonly string[] | undefined
  /** The words for a suggested value, by which it is found too. */
  nameOf?: (value: string) => string
}>

/** A text filter that takes effect when typing pauses. */
export const TextFilter = ({ label, value, onChange, offered = [], nameOf }: TextFilterProps) => {
  const list = useId()
  const [typed, setTyped] = useState(value)
  const notify = useRef(onChange)
  notify.current = onChange
  const sent = useRef<string | null>(null)
  // the address may change without typing: back, forward, clear
  useEffect(() => {
    // what was sent comes back, without spaces at its ends, while the person may be typing on
    if (value.trim() !== sent.current?.trim()) setTyped(value)
    sent.current = null
  }, [value])
  useEffect(() => {
    if (typed.trim() === value.trim()) return
    const timer = setTimeout(() => {
      sent.current = typed
      notify.current(typed)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <label>
      {label}
      <input
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        data-filter
        list={offered.length === 0 ? undefined : list}
      />
      {offered.length === 0 ? null : (
        <datalist id={list}>
          {offered.map((name) => (
            <option key={name} value={name} label={nameOf?.(name)} />
          ))}
        </datalist>
      )}
    </label>
  )
}
