import { AppFilter } from '../../../kit/app-filter.tsx'
import { useFlowNames } from '../../../kit/target-names.ts'
import { useMessages } from '../../../language/messages.ts'
import { useStatusWords } from '../../../ui/status-badge.tsx'
import { Filters, SelectFilter, TextFilter } from '../../../ui/table/filters.tsx'
import { messages } from './messages.ts'
import { DISMISSED, type FlowRunFilters, readFlowRunFilters, SPANS, STATUSES } from './search.ts'

export type FlowRunFilterRowProps = Readonly<{
  filters: FlowRunFilters
  onChange: (filters: FlowRunFilters) => void
}>

export const FlowRunFilterRow = ({ filters, onChange }: FlowRunFilterRowProps) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const set = (name: keyof FlowRunFilters) => (value: string) =>
    onChange(readFlowRunFilters({ ...filters, [name]: value }))
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
            label: value === 'open' || value === 'over' ? t[value] : words[value],
          })),
        ]}
      />
      {filters.status === 'failed' || filters.dismissed !== undefined ? (
        <SelectFilter
          label={t.dismissed}
          value={filters.dismissed ?? 'any'}
          onChange={set('dismissed')}
          options={[any, ...DISMISSED.map((value) => ({ value, label: t[value] }))]}
        />
      ) : null}
      <AppFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
      <TextFilter
        label={t.flow}
        value={filters.flow ?? ''}
        onChange={set('flow')}
        offered={useFlowNames(filters.app)}
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
