import { AppFilter } from '../../../kit/app-filter.tsx'
import { DismissedFilter, SpanFilter } from '../../../kit/list-filters.tsx'
import { useActionNames } from '../../../kit/target-names.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { JOB_TRIGGERS } from '../../../language/triggers.ts'
import { shortId } from '../../../ui/short-id.ts'
import { useStatusWords } from '../../../ui/status-badge.tsx'
import { Filters, SelectFilter, TextFilter } from '../../../ui/table/filters.tsx'
import { messages } from './messages.ts'
import { isFolded, type JobFilters, readJobFilters, STATUSES } from './search.ts'

export type JobFilterRowProps = Readonly<{
  filters: JobFilters
  onChange: (filters: JobFilters) => void
}>

export const JobFilterRow = ({ filters, onChange }: JobFilterRowProps) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const set = (name: keyof JobFilters) => (value: string) =>
    onChange(readJobFilters({ ...filters, [name]: value }))
  const { range: formatRange } = useFormat()
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
      {filters.status === 'failure' || filters.dismissed !== undefined ? (
        <DismissedFilter value={filters.dismissed} onChange={set('dismissed')} />
      ) : null}
      <AppFilter label={t.app} value={filters.app ?? ''} onChange={set('app')} />
      <TextFilter
        label={t.action}
        value={filters.action ?? ''}
        onChange={set('action')}
        offered={useActionNames(filters.app)}
      />
      <SelectFilter
        label={t.trigger}
        value={filters.trigger ?? 'any'}
        onChange={set('trigger')}
        options={[any, ...JOB_TRIGGERS.map((value) => ({ value, label: t[value] }))]}
      />
      <TextFilter label={t.label} value={filters.label ?? ''} onChange={set('label')} />
      {filters.run === undefined ? null : (
        <SelectFilter
          label={t.flowRun}
          value={filters.run}
          onChange={(run) => set('run')(run === 'any' ? '' : run)}
          options={[any, { value: filters.run, label: shortId(filters.run) }]}
        />
      )}
      {filters.flows === undefined && !isFolded(filters) ? null : (
        <SelectFilter
          label={t.flowJobs}
          value={filters.flows ?? 'folded'}
          onChange={set('flows')}
          options={[
            { value: 'folded', label: t.folded },
            { value: 'each', label: t.each },
          ]}
        />
      )}
      <SpanFilter
        value={filters.span}
        onChange={(span) => {
          const { since: _, until: __, ...others } = filters
          onChange(readJobFilters({ ...others, span }))
        }}
        range={formatRange(filters.since, filters.until)}
      />
    </Filters>
  )
}
