/**
 * A list sorted by name, short enough to be read again as a whole every few seconds. New rows appear at their place in the
 * order, and deleted ones disappear. Used with LiveTable, like useLiveList.
 */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Page } from './merge-pages.ts'
import { lessOften } from './read-interval.ts'
import type { LiveList } from './use-live-list.ts'

export type ShortListOptions<Row> = Readonly<{
  /** Workspace, name and filters. */
  queryKey: readonly unknown[]
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
}>

const EVERY_MS = 5_000

const nothing = (): void => undefined

export const useShortList = <Row>({ queryKey, read }: ShortListOptions<Row>): LiveList<Row> => {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: first(),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: lessOften(EVERY_MS),
  })
  return {
    rows: pages.data?.pages.flatMap(({ items }) => items) ?? [],
    isPending: pages.isPending,
    error: pages.error,
    isOutdated: pages.isPlaceholderData,
    isComplete: !(pages.isPlaceholderData || pages.hasNextPage),
    isLoadingMore: pages.isFetchingNextPage,
    waiting: 0,
    loadMore: pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : null,
    hasFailedMore: pages.isFetchNextPageError,
    showWaiting: nothing,
    onAtTop: nothing,
    retry: pages.refetch,
  }
}

/** The first page has no cursor. */
const first = (): string | undefined => undefined
