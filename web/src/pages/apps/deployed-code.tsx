/** The deployed code of an app: the current deployment or an earlier one. */
import { useQuery } from '@tanstack/react-query'
import { isManifest } from '../../draft/manifest-file.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { EmptyState, ErrorState } from '../../ui/notice.tsx'
import { CodePanes } from './code-panes.tsx'
import type { CodePlace } from './code-place.ts'
import { textOf } from './function/call-function.ts'
import { appQuery } from './queries.ts'

const messages = defineMessages({
  none: { en: 'No code was kept', ko: '보관된 코드가 없습니다' },
  noneText: {
    en: 'This app was never deployed as a whole, or an older svc deployed it. Deploy it again to see its code here:',
    ko: '앱 전체를 배포한 적이 없거나 이전 버전의 svc로 배포했습니다. 다시 배포하면 여기에 코드가 표시됩니다.',
  },
  missing: {
    en: (file: string) => `The deployment has no file ${file}. It shows another one.`,
    ko: (file: string) => `이 배포에는 ${file} 파일이 없어 다른 파일을 표시합니다.`,
  },
})

type PlaceProps = Readonly<{
  /** The file that opens if the address names none. */
  first: string | null
  place: CodePlace
  onPlace: (place: CodePlace) => void
}>

export const DeployedCode = ({ app, ...rest }: Readonly<{ app: string }> & PlaceProps) => {
  const ws = useWorkspace()
  const query = useQuery(appQuery(useApi(), ws, app))
  return (
    <Loaded query={query}>
      {({ deployment_id }) =>
        deployment_id === null ? <NoCode /> : <DeploymentCode id={deployment_id} {...rest} />
      }
    </Loaded>
  )
}

const NoCode = () => {
  const t = useMessages(messages)
  return <EmptyState title={t.none} text={t.noneText} command="svc deploy" />
}

/** Files of installed packages are shown only if a link leads to them. */
const isOwn = (path: string): boolean => !/(?:^|\/)node_modules\//.test(path)

export const DeploymentCode = ({ id, ...rest }: Readonly<{ id: string }> & PlaceProps) => {
  const ws = useWorkspace()
  const api = useApi()
  const query = useQuery({
    queryKey: [ws, 'deployment-files', id],
    queryFn: ({ signal }) => api.get('/deployments/{id}/files', { params: { id }, signal }),
    // deployed files never change
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <NoCode />
        ) : (
          <Files id={id} paths={items.map(({ path }) => path)} {...rest} />
        )
      }
    </Loaded>
  )
}

type FilesProps = PlaceProps & Readonly<{ id: string; paths: readonly string[] }>

const Files = ({ id, paths, first, place, onPlace }: FilesProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const wanted = place.file ?? first
  const open =
    paths.find((path) => path === wanted) ?? paths.find(isManifest) ?? paths.find(isOwn) ?? ''
  const isMissing = place.file !== undefined && place.file !== open
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'deployment-file', id, open],
    queryFn: async ({ signal }) => {
      const path = open.split('/').map(encodeURIComponent).join('/')
      const address = `/api/w/${encodeURIComponent(ws)}/deployments/${id}/files/${path}`
      const response = await api.fetch(address, { signal })
      return { text: textOf(new Uint8Array(await response.arrayBuffer())) }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />
  return (
    <>
      {isMissing ? <p role="status">{t.missing(place.file ?? '')}</p> : null}
      <CodePanes
        paths={paths.filter((path) => isOwn(path) || path === open)}
        open={open}
        text={data?.text}
        line={isMissing ? null : (place.line ?? null)}
        onOpen={onPlace}
      />
    </>
  )
}
