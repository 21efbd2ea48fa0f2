/**
 * A table of any number of rows, which draws only the visible ones. It loads more rows near its end, keeps its position
 * when rows arrive above, and is navigated with j and k or the arrow keys.
 */
import { createLink } from '@tanstack/react-router'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { latinKey } from '../../browser/keys.ts'
import { useIsNarrow } from '../breakpoint.ts'
import { Button } from '../button.tsx'
import { reachableScroller } from '../reachable-scroller.ts'
import styles from './data-table.module.css'
import { fittingColumns } from './fitting-columns.ts'
import type { PlainColumn } from './plain-table.tsx'
import { useRestoredScroll } from './use-restored-scroll.ts'

export type Column<Row> = PlainColumn<Row> &
  Readonly<{
    /** A CSS grid track: `8rem`, `minmax(8rem, 1fr)`. */
    width: string
    /** The track in a narrow window. @default width */
    narrowWidth?: string
    /** Whether the column has a line of its own in a narrow window, for long texts. @default false */
    isOwnLine?: boolean
    /** Shown instead of the header, which still names the column. */
    head?: (rows: readonly Row[]) => ReactNode
  }>

export type DataTableProps<Row> = Readonly<{
  /** A name for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Called each time the reader scrolls near the end. Leave it out while nothing can be loaded. */
  onNearEnd?: () => void
  /** Whether no further rows can be loaded. @default true */
  isComplete?: boolean
  /** New rows above, while the reader has scrolled away: the label of a button, and its action. */
  news?: Readonly<{ label: string; show: () => void }> | null
  onAtTop?: (isAtTop: boolean) => void
  /** Shown above rows that will soon be replaced, for example because the filters have changed. @default null */
  outdated?: string | null
  foot?: ReactNode
}>

declare module 'react' {
  interface CSSProperties {
    '--columns'?: string
  }
}

const ROW_HEIGHT = 38
const NARROW_ROW_HEIGHT = 48
const NEAR_END_ROWS = 30
const OVERSCAN = 12

/** The link of a row, in one of its cells. It covers the row, and takes the same properties as the router's Link. */
export const RowLink = createLink((props: ComponentProps<'a'>) => (
  // the link covers the texts in the row, and their titles
  <a title={props['aria-label']} {...props} className={styles.link} data-row-link />
))

const linksIn = (body: HTMLElement): readonly HTMLElement[] =>
  [...body.querySelectorAll<HTMLElement>('[data-row-link]')].sort(
    (one, other) => indexOf(one) - indexOf(other),
  )

const indexOf = (link: HTMLElement): number =>
  Number(link.closest('[aria-rowindex]')?.getAttribute('aria-rowindex') ?? 0)

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Moves from row to row with the arrow keys, j and k. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const step = STEPS[latinKey(event)]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const links = linksIn(event.currentTarget)
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1
  const next = links[at + step]
  if (next === undefined || at === -1) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

const withRow = (range: Range, row: number): number[] => {
  const drawn = defaultRangeExtractor(range)
  return row === -1 || drawn.includes(row) ? drawn : [...drawn, row].sort((a, b) => a - b)
}

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, keyOf, news = null, outdated = null, foot = null } = props
  const isNarrow = useIsNarrow()
  const height = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoom(scroller)
  const columns = fittingColumns(props.columns, isNarrow ? 0 : room)
  const [focused, setFocused] = useState<string | null>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (at) => {
      const row = rows[at]
      return row === undefined ? at : keyOf(row)
    },
    overscan: OVERSCAN,
    // the row with the focus stays drawn, so that scrolling does not lose the focus
    rangeExtractor: (range) =>
      withRow(range, focused === null ? -1 : rows.findIndex((row) => keyOf(row) === focused)),
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  const onNearEnd = useEffectEvent(() => props.onNearEnd?.())
  const isNearEnd = props.onNearEnd !== undefined && lastShown >= rows.length - NEAR_END_ROWS
  // also runs when more rows have arrived and the end is still near
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again when the number of rows changes
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, rows.length])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again because rows have another height
  useEffect(() => virtual.measure(), [height, virtual])
  useEffect(() => reachableScroller(scroller.current), [])
  useRestoredScroll(scroller, {
    id: label,
    rows: rows.length,
    isComplete: props.isComplete ?? true,
  })
  const style = { '--columns': (isNarrow ? narrowTracks : tracksOf)(columns).join(' ') }

  return (
    <div className={styles.frame} style={style}>
      <div
        className={styles.scroller}
        ref={scroller}
        data-scroll-restoration-id={label}
        onScroll={({ currentTarget }) => props.onAtTop?.(currentTarget.scrollTop < height)}
      >
        {/* a native table cannot be drawn in part */}
        <div
          role="table"
          aria-label={label}
          aria-busy={outdated !== null}
          aria-rowcount={rows.length + 1}
          className={styles.table}
        >
          <HeadRow columns={columns} rows={rows} />
          <div
            role="rowgroup"
            className={styles.body}
            style={{ height: virtual.getTotalSize() }}
            onKeyDown={walk}
            onBlur={() => setFocused(null)}
          >
            {shown.map(({ index, key, start }) => {
              const row = rows[index]
              return row === undefined ? null : (
                <div
                  key={key}
                  onFocus={() => setFocused(keyOf(row))}
                  role="row"
                  aria-rowindex={index + 2}
                  data-last={index === rows.length - 1 && foot === null ? '' : undefined}
                  className={styles.row}
                  // it is measured, because its texts may take several lines
                  ref={virtual.measureElement}
                  data-index={index}
                  style={{ transform: `translateY(${start}px)`, minHeight: height }}
                >
                  <Cells row={row} columns={columns} />
                </div>
              )
            })}
          </div>
        </div>
        {foot === null ? null : <div className={styles.foot}>{foot}</div>}
      </div>
      {outdated === null ? null : (
        <p role="status" className={styles.outdated}>
          {outdated}
        </p>
      )}
      {news === null ? null : (
        <span className={styles.news}>
          <Button
            look="primary"
            onClick={() => {
              scroller.current?.scrollTo({ top: 0 })
              news.show()
            }}
          >
            {news.label}
          </Button>
        </span>
      )}
    </div>
  )
}

const tracksOf = (columns: readonly Column<never>[]): readonly string[] =>
  columns.map(({ width }) => width)

/** Columns with a line of their own need no track, and the last of the others takes the room that is left. */
const narrowTracks = (columns: readonly Column<never>[]): readonly string[] => {
  const tracks = columns
    .filter(({ isOwnLine = false }) => !isOwnLine)
    .map(({ width, narrowWidth = width }) => narrowWidth)
  return tracks.length === columns.length ? tracks : tracks.with(-1, '1fr')
}

/** The width of an element in rem. */
const useRoom = (element: RefObject<HTMLElement | null>): number => {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const measure = (): void => setRoom(current.clientWidth / rem)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return room
}

type HeadRowProps<Row> = Readonly<{ columns: readonly Column<Row>[]; rows: readonly Row[] }>

const HeadRow = <Row,>({ columns, rows }: HeadRowProps<Row>) => (
  <div role="rowgroup" className={styles.head}>
    <div role="row" aria-rowindex={1} className={styles.row}>
      {columns.map((column) => (
        <div key={column.header} role="columnheader" className={classOf(column)}>
          {column.head === undefined ? column.header : column.head(rows)}
        </div>
      ))}
    </div>
  </div>
)

const Cells = <Row,>({ row, columns }: Readonly<{ row: Row; columns: readonly Column<Row>[] }>) =>
  columns.map((column) => (
    <div key={column.header} role="cell" className={classOf(column)}>
      {column.cell(row)}
    </div>
  ))

const classOf = ({ isEnd = false, isOwnLine = false }: Column<never>): string =>
  `${styles.cell} ${isEnd ? styles.end : ''} ${isOwnLine ? styles.ownLine : ''}`
