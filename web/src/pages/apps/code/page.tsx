/** The code of a whole app: the current deployment, or the one that the address names. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { defineMessages, useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { Page } from '../../../ui/page.tsx'
import { AppTrail } from '../app-trail.tsx'
import type { CodePlace } from '../code-place.ts'
import { DeployedCode, DeploymentCode } from '../deployed-code.tsx'
import { EditDraft } from '../edit-draft.tsx'
import { appQuery } from '../queries.ts'

const messages = defineMessages({
  former: { en: 'This deployment does not run any more.', ko: '지금은 실행되지 않는 배포입니다.' },
  current: { en: 'Show what runs now', ko: '현재 배포 보기' },
})

const route = getRouteApi('/w/$ws/apps/$app/code')

export const CodePage = () => {
  const t = useMessages(messages)
  const { ws, app } = route.useParams()
  const { deployment, ...place } = route.useSearch()
  const navigate = route.useNavigate()
  const known = useQuery(appQuery(useApi(), ws, app))
  const isFormer = deployment !== undefined && known.data?.deployment_id !== deployment
  const show = (next: CodePlace): void =>
    void navigate({
      search: deployment === undefined ? next : { deployment, ...next },
      replace: true,
    })
  return (
    <Page
      title={t.code}
      trail={<AppTrail ws={ws} app={app} />}
      actions={<EditDraft app={app} place={place} />}
    >
      {isFormer && known.data !== undefined ? (
        <p>
          {t.former}{' '}
          <Link to="/w/$ws/apps/$app/code" params={{ ws, app }} search={place}>
            {t.current}
          </Link>
        </p>
      ) : null}
      {deployment === undefined ? (
        <DeployedCode app={app} first={null} place={place} onPlace={show} />
      ) : (
        <DeploymentCode id={deployment} first={null} place={place} onPlace={show} />
      )}
    </Page>
  )
}
