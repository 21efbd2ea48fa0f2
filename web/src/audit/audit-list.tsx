/** A list of audit entries with its filters: of a workspace, or of the instance. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../language/messages.ts'
import { LiveTable } from '../live/live-table.tsx'
import { type LiveListOptions, useLiveList } from '../live/use-live-list.ts'
import type { Column } from '../ui/data-table.tsx'
import { Filters, SelectFilter, TextFilter } from '../ui/filters.tsx'
import { EmptyState } from '../ui/notice.tsx'
import { TimeAgo } from '../ui/time.tsx'
import styles from './audit-list.module.css'
import { messages } from './messages.ts'
import { type AuditFilters, readAuditFilters, SPANS, toAuditQuery } from './search.ts'

type Entry = Schemas['AuditEntry']

const PAGE_ROWS = 100
const EVERY_MS = 5_000

const keyOf = ({ id }: Entry): string => id

export type AuditQuery = ReturnType<typeof toAuditQuery> &
  Readonly<{ cursor: string | undefined; limit: number }>

export type AuditListProps = Readonly<{
  queryKey: readonly unknown[]
  read: (query: AuditQuery, signal: AbortSignal) => ReturnType<LiveListOptions<Entry>['read']>
  filters: AuditFilters
  onFilter: (filters: AuditFilters) => void
}>

export const AuditList = ({ queryKey, read, filters, onFilter }: AuditListProps) => {
  const t = useMessages(messages)
  const isFiltered = Object.keys(filters).length > 0
  const list = useLiveList<Entry>({
    queryKey: [...queryKey, filters],
    read: (cursor, signal) =>
      read({ ...toAuditQuery(filters, Date.now()), cursor, limit: PAGE_ROWS }, signal),
    keyOf,
    everyMs: EVERY_MS,
  })
  const columns = useColumns((more) => onFilter({ ...filters, ...more }))
  return (
    <>
      <FilterRow filters={filters} onFilter={onFilter} />
      <LiveTable
        label={t.title}
        columns={columns}
        list={list}
        keyOf={keyOf}
        empty={
          <EmptyState
            title={isFiltered ? t.noMatch : t.none}
            text={isFiltered ? t.noMatchText : t.noneText}
          />
        }
      />
    </>
  )
}

const FilterRow = ({ filters, onFilter }: Pick<AuditListProps, 'filters' | 'onFilter'>) => {
  const t = useMessages(messages)
  const set = (name: keyof AuditFilters) => (value: string) =>
    onFilter(readAuditFilters({ ...filters, [name]: value.trim() }))
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onFilter({})}>
      <TextFilter label={t.who} value={filters.actor ?? ''} onChange={set('actor')} />
      <TextFilter label={t.what} value={filters.action ?? ''} onChange={set('action')} />
      <SelectFilter
        label={t.span}
        value={filters.span ?? 'any'}
        onChange={set('span')}
        options={[
          { value: 'any', label: t.any } as const,
          ...SPANS.map((value) => ({ value, label: t.spans(value) })),
        ]}
      />
    </Filters>
  )
}

/** A press on it filters by it. */
const Pick = ({ text, onPick }: Readonly<{ text: string; onPick: () => void }>) => {
  const t = useMessages(messages)
  return (
    <button
      type="button"
      className={styles.pick}
      title={t.only(text)}
      onClick={onPick}
      data-row-link
    >
      {text}
    </button>
  )
}

const useColumns = (onFilter: (more: AuditFilters) => void): readonly Column<Entry>[] => {
  const t = useMessages(messages)
  return [
    {
      key: 'when',
      header: t.when,
      width: '6.5rem',
      cell: ({ at }) => <TimeAgo at={at} />,
    },
    {
      key: 'what',
      header: t.what,
      width: 'minmax(7rem, 1.2fr)',
      cell: ({ action }) => <Pick text={action} onPick={() => onFilter({ action })} />,
    },
    {
      key: 'target',
      header: t.target,
      width: 'minmax(8rem, 2fr)',
      isWideOnly: true,
      cell: ({ target }) => <code title={target}>{target}</code>,
    },
    {
      key: 'who',
      header: t.who,
      width: 'minmax(7rem, 1.5fr)',
      cell: ({ identity }) => <Pick text={identity} onPick={() => onFilter({ actor: identity })} />,
    },
    {
      key: 'by',
      header: t.credential,
      width: '12rem',
      isWideOnly: true,
      cell: ({ credential_kind, credential_prefix }) => (
        <>
          {t.kind(credential_kind)}{' '}
          {credential_prefix === null ? null : <code>{credential_prefix}</code>}
        </>
      ),
    },
    {
      key: 'address',
      header: t.address,
      width: '8rem',
      isWideOnly: true,
      cell: ({ address }) => (address === null ? '–' : <code>{address}</code>),
    },
  ]
}
