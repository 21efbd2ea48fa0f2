/**
 * An infinite list that stays up to date: pages by cursor, with the head read again every few
 * seconds, less often while it does not change. New rows appear at once while the reader is at the top. Further down, they are counted
 * until the reader requests them. Rows that may still change are read again in place.
 */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mergePages, type Page, refreshRows } from './merge-pages.ts'
import { readInterval } from './read-interval.ts'

export type LiveListOptions<Row> = Readonly<{
  /** Workspace, name and filters. */
  queryKey: readonly unknown[]
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  keyOf: (row: Row) => string
  /** Whether the row may still change. @default no row does */
  isLive?: (row: Row) => boolean
  /** The key of the row that is shown in full. Its page is read again first. */
  openKey?: string | undefined
  /** Milliseconds between two reads of the head while it changes. @default 2 s */
  everyMs?: number
}>

export type LiveList<Row> = Readonly<{
  rows: readonly Row[]
  isPending: boolean
  error: Error | null
  /** Whether the rows are those of the filters before, until the server responds. */
  isOutdated: boolean
  isComplete: boolean
  isLoadingMore: boolean
  /** Number of new rows above, which are counted but not shown. */
  waiting: number
  /** Loads the next page. Null if there is none, or while another request is in progress. */
  loadMore: (() => void) | null
  /** Whether the next page could not be loaded. */
  hasFailedMore: boolean
  showWaiting: () => void
  onAtTop: (isAtTop: boolean) => void
  retry: () => unknown
}>

const EVERY_MS = 2_000
/** Maximum number of later pages to read again at once. A page of old rows rarely has one that still changes. */
const MOST_LIVE_PAGES = 3

export const useLiveList = <Row>(options: LiveListOptions<Row>): LiveList<Row> => {
  const { queryKey, read, keyOf, isLive = () => false, openKey, everyMs = EVERY_MS } = options
  const client = useQueryClient()
  const [isAtTop, setAtTop] = useState(true)
  const pagesKey = [...queryKey, 'pages']
  const headKey = [...queryKey, 'head']
  const refetchInterval = (): number =>
    readInterval(everyMs, client.getQueryData<Page<Row>>(headKey), Date.now())
  const pages = useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = await read(pageParam, signal)
      // also store the page as the head, so that it is not requested again at once
      if (pageParam === undefined) client.setQueryData(headKey, page)
      return page
    },
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const isOutdated = pages.isPlaceholderData
  const head = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => read(undefined, signal),
    refetchInterval,
    enabled: pages.data !== undefined && !isOutdated,
  })
  const loaded = pages.data?.pages ?? []
  const newest = isOutdated ? undefined : head.data
  const merged = mergePages(loaded, newest, { keyOf, withFresh: isAtTop })

  const inHead = new Set(newest?.items.map(keyOf))
  // new rows push rows of the first page out of the head
  const pushedOut =
    newest === undefined
      ? []
      : refreshRows(loaded[0]?.items ?? [], newest, { keyOf, from: 0 }).filter(
          (row) => !inHead.has(keyOf(row)),
        )
  const isOpen = (row: Row): boolean => keyOf(row) === openKey
  const pagesWith = (isMeant: (row: Row) => boolean): readonly number[] =>
    loaded.flatMap((page, at) => ((at === 0 ? pushedOut : page.items).some(isMeant) ? [at] : []))
  const livePages = [...new Set([...pagesWith(isOpen), ...pagesWith(isLive)])]
  useQuery({
    queryKey: [...queryKey, 'live-pages', livePages],
    queryFn: async ({ signal }) => {
      for (const at of livePages.slice(0, MOST_LIVE_PAGES)) {
        const cursor = (at === 0 ? newest : loaded[at - 1])?.pagination.next_cursor
        if (cursor === undefined || cursor === null) continue
        const again = await read(cursor, signal)
        const toNewer = (page: Page<Row>): Page<Row> => {
          if (at > 0) return again
          const from = page.items.findLastIndex((row) => inHead.has(keyOf(row))) + 1
          return { ...page, items: refreshRows(page.items, again, { keyOf, from }) }
        }
        client.setQueryData<typeof pages.data>(pagesKey, (known) =>
          known === undefined
            ? known
            : {
                ...known,
                pages: known.pages.map((page, each) => (each === at ? toNewer(page) : page)),
              },
        )
      }
      return livePages.length
    },
    refetchInterval,
    enabled: livePages.length > 0 && !isOutdated,
  })

  // an empty page has no row that could trigger loading the next one
  const isBare = loaded.at(-1)?.items.length === 0 && pages.hasNextPage && !pages.isFetching
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is a new object at each render, but does the same
  useEffect(() => {
    if (isBare) void pages.fetchNextPage()
  }, [isBare])

  const restart = (): void => void client.resetQueries({ queryKey: pagesKey })
  const mustRestart = merged.hasGap && isAtTop
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is a new function at each render, but does the same
  useEffect(() => {
    if (mustRestart) restart()
  }, [mustRestart])

  return {
    rows: merged.rows,
    isPending: pages.isPending,
    error: pages.error,
    isOutdated,
    isComplete: !isOutdated && (!pages.hasNextPage || newest?.pagination.next_cursor === null),
    isLoadingMore: pages.isFetchingNextPage,
    waiting: isAtTop ? 0 : merged.fresh,
    loadMore: pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : null,
    hasFailedMore: pages.isFetchNextPageError,
    showWaiting: () => {
      setAtTop(true)
      if (merged.hasGap) restart()
    },
    onAtTop: setAtTop,
    retry: pages.refetch,
  }
}

/** The first page has no cursor. */
const first = (): string | undefined => undefined
