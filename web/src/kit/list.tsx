/**
 * A list of resources from one description: loaded page by page, live, as a
 * table. The row that the address names by `open` is shown in full.
 */
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LiveTable } from '../live/live-table.tsx'
import type { Page as ListPage } from '../live/merge-pages.ts'
import { type LiveList, useLiveList } from '../live/use-live-list.ts'
import { useShortList } from '../live/use-short-list.ts'
import { EmptyState, type EmptyStateProps } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import type { Column } from '../ui/table/data-table.tsx'
import { OpenRow } from './open-row.tsx'

/** Options of a list's request, in the form of the API client. */
export type PageRequest = Readonly<{
  query: Readonly<{ cursor: string | undefined; limit: number }>
  signal: AbortSignal
}>

export type Resource<Row> = Readonly<{
  /** The name of the table and of its page. */
  title: string
  /** Workspace, name and filters. */
  queryKey: readonly unknown[]
  read: (page: PageRequest) => Promise<ListPage<Row>>
  keyOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Shown while there are no rows: what the list is for, and the next step. */
  empty: EmptyStateProps
  /** Whether the row may still change. @default no row does */
  isLive?: (row: Row) => boolean
  /** Milliseconds between two reads of the newest rows. @default 10 s */
  everyMs?: number
  /** Whether the list is sorted by name and read again as a whole. @default newest first */
  isByName?: boolean
  /** Rows below an open row. @default none */
  below?: (row: Row) => readonly Row[]
  /** A row in full, usually Details. */
  details?: (row: Row, close: () => void) => ReactNode
}>

const PAGE_ROWS = 100
const EVERY_MS = 10_000

export const ResourceList = <Row,>(resource: Resource<Row>) =>
  resource.isByName === true ? <NamedRows {...resource} /> : <NewestRows {...resource} />

const toRead =
  <Row,>({ read }: Resource<Row>) =>
  (cursor: string | undefined, signal: AbortSignal) =>
    read({ query: { cursor, limit: PAGE_ROWS }, signal })

const NewestRows = <Row,>(resource: Resource<Row>) => {
  const { queryKey, keyOf, isLive, everyMs = EVERY_MS } = resource
  const openKey = useSearch({ strict: false, select: (search) => search.open })
  const list = useLiveList<Row>({
    queryKey,
    read: toRead(resource),
    keyOf,
    ...(isLive === undefined ? {} : { isLive }),
    openKey,
    everyMs,
  })
  return <Rows resource={resource} list={list} />
}

const NamedRows = <Row,>(resource: Resource<Row>) => {
  const list = useShortList<Row>({ queryKey: resource.queryKey, read: toRead(resource) })
  return <Rows resource={resource} list={list} />
}

const withBelow = <Row,>(
  rows: readonly Row[],
  below: (row: Row) => readonly Row[],
): readonly Row[] => rows.flatMap((row) => [row, ...below(row)])

type RowsProps<Row> = Readonly<{ resource: Resource<Row>; list: LiveList<Row> }>

const Rows = <Row,>({ resource, list }: RowsProps<Row>) => {
  const { title, columns, keyOf, empty, details, below } = resource
  const shown = below === undefined ? list : { ...list, rows: withBelow(list.rows, below) }
  return (
    <>
      <LiveTable
        label={title}
        columns={columns}
        list={shown}
        keyOf={keyOf}
        empty={<EmptyState {...empty} />}
      />
      {details === undefined || list.isPending ? null : (
        <OpenRow rows={list.rows} list={list} keyOf={keyOf} details={details} />
      )}
    </>
  )
}

export type ResourcePageProps<Row> = Resource<Row> &
  Readonly<{
    about?: ReactNode
    actions?: ReactNode
    /** Between the heading and the list, such as filters. */
    children?: ReactNode
  }>

/** A page that consists of one list. */
export const ResourcePage = <Row,>(props: ResourcePageProps<Row>) => {
  const { about, actions, children, ...resource } = props
  return (
    <Page title={resource.title} about={about} actions={actions} isFilled>
      {children}
      <ResourceList {...resource} />
    </Page>
  )
}
