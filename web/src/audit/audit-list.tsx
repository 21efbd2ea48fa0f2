/** A list of audit entries with its filters: of a workspace, or of the instance. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { serverNow } from '../browser/server-clock.ts'
import { aged, column, wide } from '../kit/columns.tsx'
import { type PageRequest, type Resource, ResourceList } from '../kit/list.tsx'
import { SpanFilter } from '../kit/list-filters.tsx'
import { useLanguage } from '../language/language.ts'
import { useMessages } from '../language/messages.ts'
import { useIsNarrow } from '../ui/breakpoint.ts'
import { shortCommit } from '../ui/short-commit.ts'
import type { Column } from '../ui/table/data-table.tsx'
import { Filters, TextFilter } from '../ui/table/filters.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { AUDIT_ACTIONS, auditActionInWords } from './actions.ts'
import styles from './audit-list.module.css'
import { messages } from './messages.ts'
import { AUDIT_SPANS, type AuditFilters, readAuditFilters, toAuditQuery } from './search.ts'
import { targetPage } from './target-page.ts'

type Entry = Schemas['AuditEntry']

const EVERY_MS = 5_000
/** Matches a commit, which is a git hash or the hash of uploaded files. */
const COMMIT = /\b(?:sha256:)?[0-9a-f]{40,64}\b/

export type AuditQuery = ReturnType<typeof toAuditQuery> & PageRequest['query']

export type AuditListProps = Readonly<{
  queryKey: readonly unknown[]
  read: (query: AuditQuery, signal: AbortSignal) => ReturnType<Resource<Entry>['read']>
  filters: AuditFilters
  onFilter: (filters: AuditFilters) => void
  /** Whose entries these are; null for those of the instance, which belong to no workspace. */
  ws: string | null
}>

export const AuditList = ({ queryKey, read, filters, onFilter, ws }: AuditListProps) => {
  const t = useMessages(messages)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <FilterRow filters={filters} onFilter={onFilter} />
      <ResourceList<Entry>
        title={t.auditLog}
        queryKey={[...queryKey, filters]}
        read={({ query, signal }) =>
          read({ ...toAuditQuery(filters, serverNow()), ...query }, signal)
        }
        keyOf={({ id }) => id}
        everyMs={EVERY_MS}
        columns={useColumns(ws, (more) => onFilter({ ...filters, ...more }))}
        empty={{
          title: isFiltered ? t.noMatch : t.none,
          text: isFiltered ? t.noMatchText : t.noneText,
        }}
      />
    </>
  )
}

const FilterRow = ({ filters, onFilter }: Pick<AuditListProps, 'filters' | 'onFilter'>) => {
  const t = useMessages(messages)
  const language = useLanguage()
  const set = (name: keyof AuditFilters) => (value: string) =>
    onFilter(readAuditFilters({ ...filters, [name]: value.trim() }))
  return (
    <Filters onClear={Object.keys(filters).length === 0 ? null : () => onFilter({})}>
      <TextFilter label={t.who} value={filters.actor ?? ''} onChange={set('actor')} />
      <TextFilter
        label={t.what}
        value={filters.action ?? ''}
        onChange={set('action')}
        offered={Object.keys(AUDIT_ACTIONS)}
        nameOf={(code) => auditActionInWords(code, language)}
      />
      <SpanFilter value={filters.span} onChange={set('span')} spans={AUDIT_SPANS} />
    </Filters>
  )
}

type TargetProps = Readonly<{ entry: Entry; ws: string | null }>

/** The name of the changed resource, with commits shortened. The title has the full text. */
const Target = ({ entry, ws }: TargetProps) => {
  const { target, target_name } = entry
  const text = target_name ?? target.replace(COMMIT, shortCommit)
  const page = ws === null ? null : targetPage(entry, ws)
  if (page === null) return <span title={target}>{text}</span>
  return (
    <Link {...page} title={target}>
      {text}
    </Link>
  )
}

type PickProps = Readonly<{
  text: string
  /** Shown in place of the text. */
  shown?: ReactNode
  onPick: () => void
}>

/** A value that filters the list when it is clicked. */
const Pick = ({ text, shown = text, onPick }: PickProps) => {
  const t = useMessages(messages)
  return (
    <button
      type="button"
      className={styles.pick}
      title={t.only(text)}
      onClick={onPick}
      data-row-link
    >
      {shown}
    </button>
  )
}

/** What was done in words, and the code by which the list and the API filter. */
const ActionName = ({ code }: Readonly<{ code: string }>) => {
  const words = auditActionInWords(code, useLanguage())
  return words === code ? code : [`${words} `, <code key={code}>{code}</code>]
}

/** In the width of a phone, so that no column is cut. */
const onPhone = (narrowWidth: string, shown: Column<Entry>): Column<Entry> => ({
  ...shown,
  narrowWidth,
})

const useColumns = (
  ws: string | null,
  onFilter: (more: AuditFilters) => void,
): readonly Column<Entry>[] => {
  const t = useMessages(messages)
  // a phone has no room for the column of targets, without which "variable set" means little
  const isNarrow = useIsNarrow()
  return [
    { ...aged(t.when, ({ at }) => <TimeAgo at={at} />), narrowWidth: '4.5rem' },
    onPhone(
      'minmax(0, 2fr)',
      column(t.what, 'minmax(9rem, 2.4fr)', (entry) => (
        <>
          <Pick
            text={entry.action}
            shown={<ActionName code={entry.action} />}
            onPick={() => onFilter({ action: entry.action })}
          />
          {isNarrow ? (
            <span className={styles.below}>
              <Target entry={entry} ws={ws} />
            </span>
          ) : null}
        </>
      )),
    ),
    wide(column(t.target, 'minmax(8rem, 2fr)', (entry) => <Target entry={entry} ws={ws} />)),
    onPhone(
      'minmax(0, 1.3fr)',
      column(t.who, 'minmax(6rem, 1.5fr)', ({ identity, identity_name }) => (
        <Pick
          text={identity}
          shown={identity_name ?? identity}
          onPick={() => onFilter({ actor: identity })}
        />
      )),
    ),
    wide(
      column(t.credential, '12rem', ({ credential_kind, credential_prefix }) => (
        <>
          {t.kind(credential_kind)}{' '}
          {credential_prefix === null ? null : <code>{credential_prefix}</code>}
        </>
      )),
    ),
    wide(
      column(t.address, '8rem', ({ address }) => (address === null ? '–' : <code>{address}</code>)),
    ),
  ]
}
