/** Selects how far back figures go. */
import { useMessages } from '../language/messages.ts'
import { Filters, SelectFilter } from '../ui/table/filters.tsx'
import { messages } from './messages.ts'
import { WINDOW_NAMES, type WindowName } from './windows.ts'

export type WindowFilterProps = Readonly<{
  span: WindowName
  onSpan: (span: WindowName) => void
}>

export const WindowFilter = ({ span, onSpan }: WindowFilterProps) => {
  const t = useMessages(messages)
  return (
    <Filters onClear={null}>
      <SelectFilter
        label={t.span}
        value={span}
        onChange={onSpan}
        options={WINDOW_NAMES.map((value) => ({ value, label: t[value] }))}
      />
    </Filters>
  )
}
