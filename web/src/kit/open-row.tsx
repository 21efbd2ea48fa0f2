/** The row of a list that the address names by `open`, shown in full. */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useFormat } from '../language/format.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import type { LiveList } from '../live/use-live-list.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loading } from '../ui/notice.tsx'

const MOST_ROWS = 5_000

const messages = defineMessages({
  missing: { en: 'Not found in this list', ko: '목록에서 찾을 수 없습니다' },
  missingText: {
    en: (count: string) =>
      `It was deleted, the filters hide it, it is older than the newest ${count} entries, or the address is wrong.`,
    ko: (count: string) =>
      `삭제되었거나, 필터에 맞지 않거나, 최근 ${count}개 항목보다 오래되었거나, 주소가 잘못되었습니다.`,
  },
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the entry before shows the list without the open row. */
    isOpenedInList?: boolean
  }
}

/** Closes the details as Back does, so that they are not opened again by a later Back. */
const useClose = (open: string | undefined): (() => void) => {
  const router = useRouter()
  const navigate = useNavigate()
  const isClosing = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other details are not being closed
  useEffect(() => {
    isClosing.current = false
  }, [open])
  return () => {
    if (router.state.location.state.isOpenedInList !== true) {
      void navigate({ to: '.', search: ({ open: _, ...others }) => others, replace: true })
    } else if (!isClosing.current) {
      // the browser goes back later, and a second call until then would leave the list
      isClosing.current = true
      router.history.back()
    }
  }
}

type Pages<Row> = Pick<LiveList<Row>, 'isComplete' | 'loadMore' | 'hasFailedMore'>

const ALL_LOADED = { isComplete: true, loadMore: null, hasFailedMore: false } as const

/** Loads further pages until the row is there. @returns whether it may still come */
const useSearchedFor = <Row,>(
  { isComplete, loadMore, hasFailedMore }: Pages<Row>,
  { isWanted, count }: Readonly<{ isWanted: boolean; count: number }>,
): boolean => {
  const isSearched = isWanted && !isComplete && !hasFailedMore && count < MOST_ROWS
  const mayLoad = isSearched && loadMore !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is a new function at each render, but does the same
  useEffect(() => {
    if (mayLoad) loadMore?.()
  }, [mayLoad, count])
  return isSearched
}

export type OpenRowProps<Row> = Readonly<{
  rows: readonly Row[]
  /** The list that the rows are of. @default all rows are there */
  list?: Pages<Row>
  keyOf: (row: Row) => string
  details: (row: Row, close: () => void) => ReactNode
}>

export const OpenRow = <Row,>({ rows, list = ALL_LOADED, keyOf, details }: OpenRowProps<Row>) => {
  const t = useMessages(messages)
  const { number } = useFormat()
  const open = useSearch({ strict: false, select: (search) => search.open })
  const close = useClose(open)
  const row = rows.find((each) => keyOf(each) === open)
  // a row that disappears while it is open was changed on purpose
  const [seen, setSeen] = useState<string>()
  if (row !== undefined && open !== seen) setSeen(open)
  const isWanted = row === undefined && open !== undefined && open !== seen
  const isSearched = useSearchedFor(list, { isWanted, count: rows.length })
  if (row !== undefined) return <Fragment key={keyOf(row)}>{details(row, close)}</Fragment>
  if (!isWanted || list.hasFailedMore) return null
  return (
    <Dialog isOpen onClose={close} title={isSearched ? t.details : t.missing}>
      {isSearched ? <Loading /> : <p>{t.missingText(number(MOST_ROWS))}</p>}
    </Dialog>
  )
}
