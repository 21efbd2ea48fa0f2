/** Filters that several lists have. */
import { defineMessages, useMessages } from '../language/messages.ts'
import { SelectFilter } from '../ui/table/filters.tsx'
import { DISMISSED, SPANS, type Span } from './search.ts'

const messages = defineMessages({
  yes: { en: 'Yes', ko: '예' },
  no: { en: 'No', ko: '아니요' },
})

export type DismissedFilterProps = Readonly<{
  value: (typeof DISMISSED)[number] | undefined
  onChange: (value: string) => void
}>

/** Selects failures that were dismissed, or the others. */
export const DismissedFilter = ({ value, onChange }: DismissedFilterProps) => {
  const t = useMessages(messages)
  return (
    <SelectFilter
      label={t.dismissed}
      value={value ?? 'any'}
      onChange={onChange}
      options={[
        { value: 'any', label: t.any },
        ...DISMISSED.map((each) => ({ value: each, label: t[each] })),
      ]}
    />
  )
}

export type SpanFilterProps = Readonly<{
  value: Span | undefined
  onChange: (value: string) => void
  /** @default those of lists of work */
  spans?: readonly Span[]
  /** An exact range that the address names, as text; null if it names none. */
  range?: string | null
}>

/** Selects how far back a list goes. */
export const SpanFilter = ({ value, onChange, spans = SPANS, range = null }: SpanFilterProps) => {
  const t = useMessages(messages)
  return (
    <SelectFilter
      label={t.span}
      value={range === null ? (value ?? 'any') : 'range'}
      onChange={onChange}
      options={[
        { value: 'any', label: t.any },
        ...spans.map((span) => ({ value: span, label: t[span] })),
        ...(range === null ? [] : [{ value: 'range', label: range }]),
      ]}
    />
  )
}
