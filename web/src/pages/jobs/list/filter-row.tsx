import { useMessages } from '../../../language/messages.ts'
import { JOB_TRIGGERS } from '../../../language/triggers.ts'
import { Filters, SelectFilter, TextFilter } from '../../../ui/filters.tsx'
import { useStatusWords } from '../../../ui/status-badge.tsx'
import { messages } from './messages.ts'
import { type JobFilters, readJobFilters, SPANS, STATUSES } from './search.ts'

export type JobFilterRowProps = Readonly<{
  filters: JobFilters
  onChange: (filters: JobFilters) => void
}>

export const JobFilterRow = ({ filters, onChange }: JobFilterRowProps) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const set = (name: keyof JobFilters) => (value: string) =>
    onChange(readJobFilters({ ...filters, [name]: value }))
  const any = { value: 'any', label: t.any } as const
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onChange({})}>
      <SelectFilter
        label={t.status}
        value={filters.status ?? 'any'}
        onChange={set('status')}
        options={[
          any,
          ...STATUSES.map((value) => ({
            value,
            label: value === 'completed' ? t.ended : words[value],
          })),
        ]}
      />
      <TextFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
      <TextFilter label={t.action} value={filters.action ?? ''} onChange={set('action')} />
      <SelectFilter
        label={t.trigger}
        value={filters.trigger ?? 'any'}
        onChange={set('trigger')}
        options={[any, ...JOB_TRIGGERS.map((value) => ({ value, label: t[value] }))]}
      />
      <SelectFilter
        label={t.span}
        value={filters.span ?? 'any'}
        onChange={set('span')}
        options={[any, ...SPANS.map((value) => ({ value, label: t[value] }))]}
      />
    </Filters>
  )
}
