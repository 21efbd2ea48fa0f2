/** Where the app's code comes from. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { gitSourceQuery } from '../../../live/queries.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { GitSourceFacts } from '../../../ui/git-source-facts.tsx'
import { ErrorState, Loading } from '../../../ui/notice.tsx'
import { DeployGuide } from '../deploy-guide.tsx'
import { messages } from './messages.ts'

export const SourcePanel = ({ app }: Readonly<{ app: Schemas['App'] }>) => {
  const t = useMessages(messages)
  const may = useMay()
  if (app.git_source_id !== null) return <GitSource id={app.git_source_id} />
  return (
    <div className="reading">
      <p>{t.byUpload}</p>
      {may('deployments:write') ? <DeployGuide app={app.key} /> : null}
    </div>
  )
}

const GitSource = ({ id }: Readonly<{ id: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()('git_sources:read')
  const { data, error, refetch } = useQuery({
    ...gitSourceQuery(api, ws, id),
    enabled: may,
  })
  if (!may) return <p>{t.fromGit}</p>
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={refetch} />
  }
  return (
    <div className="reading">
      <p>
        {t.fromGit}:{' '}
        <Link to="/w/$ws/git-sources/$id" params={{ ws, id }}>
          {data.name}
        </Link>
      </p>
      <GitSourceFacts source={data} />
    </div>
  )
}
