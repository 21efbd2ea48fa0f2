/** What is shown of a query: its data, that it is on its way, or why there is none. */
import type { ReactNode } from 'react'
import { ErrorState, Loading } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

type Query<Data> = Readonly<{
  data: Data | undefined
  error: Error | null
  refetch: () => Promise<unknown>
}>

export type LoadedProps<Data> = Readonly<{
  query: Query<Data>
  children: (data: Data) => ReactNode
}>

export const Loaded = <Data,>({ query, children }: LoadedProps<Data>) => {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

export type DetailPageProps<Data> = LoadedProps<Data> &
  Readonly<{
    /** Until the data names it. */
    title: string
    trail?: ReactNode
  }>

/** A page of one resource: its frame is shown before its data has come. */
export const DetailPage = <Data,>({ query, title, trail, children }: DetailPageProps<Data>) =>
  query.data !== undefined ? (
    children(query.data)
  ) : (
    <Page title={title} trail={trail}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
