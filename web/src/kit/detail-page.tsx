/** Shows the state of a query: its data, that it is loading, or why it failed. */
import type { ReactNode } from 'react'
import { ErrorState, Loading } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

export type Query<Data> = Readonly<{
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
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={refetch} />
}

export type DetailPageProps<Data> = LoadedProps<Data> &
  Readonly<{
    /** The title until the data is loaded. */
    title: string
    trail?: ReactNode
  }>

/** A page of one resource. Its frame is shown before the data is loaded. */
export const DetailPage = <Data,>({ query, title, trail, children }: DetailPageProps<Data>) =>
  query.data !== undefined ? (
    children(query.data)
  ) : (
    <Page title={title} trail={trail}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  )
