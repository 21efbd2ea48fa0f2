import { AppFilter } from '../../../kit/app-filter.tsx'
import { DismissedFilter, SpanFilter } from '../../../kit/list-filters.tsx'
import { useFlowNames } from '../../../kit/target-names.ts'
import { useMessages } from '../../../language/messages.ts'
import { useStatusWords } from '../../../ui/status-badge.tsx'
import { Filters, SelectFilter, TextFilter } from '../../../ui/table/filters.tsx'
import { messages } from './messages.ts'
import { type FlowRunFilters, readFlowRunFilters, STATUSES } from './search.ts'

export type FlowRunFilterRowProps = Readonly<{
  filters: FlowRunFilters
  onChange: (filters: FlowRunFilters) => void
}>

export const FlowRunFilterRow = ({ filters, onChange }: FlowRunFilterRowProps) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const set = (name: keyof FlowRunFilters) => (value: string) =>
    onChange(readFlowRunFilters({ ...filters, [name]: value }))
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onChange({})}>
      <SelectFilter
        label={t.status}
        value={filters.status ?? 'any'}
        onChange={set('status')}
        options={[
          { value: 'any', label: t.any },
          ...STATUSES.map((value) => ({
            value,
            label: value === 'open' || value === 'over' ? t[value] : words[value],
          })),
        ]}
      />
      {filters.status === 'failed' || filters.dismissed !== undefined ? (
        <DismissedFilter value={filters.dismissed} onChange={set('dismissed')} />
      ) : null}
      <AppFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
      <TextFilter
        label={t.flow}
        value={filters.flow ?? ''}
        onChange={set('flow')}
        offered={useFlowNames(filters.app)}
      />
      <TextFilter label={t.label} value={filters.label ?? ''} onChange={set('label')} />
      <SpanFilter value={filters.span} onChange={set('span')} />
    </Filters>
  )
}
