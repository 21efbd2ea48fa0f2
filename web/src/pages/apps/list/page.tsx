import { useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { age, atEnd, column, text, wide } from '../../../kit/columns.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import { ResourcePage } from '../../../kit/list.tsx'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CommitId } from '../../../ui/commit-id.tsx'
import { type Column, RowLink } from '../../../ui/table/data-table.tsx'
import { DeployGuide } from '../deploy-guide.tsx'
import { messages } from './messages.ts'
import { NewApp } from './new-app.tsx'

const DAY_S = 86_400
const COUNTS_EVERY_MS = 10_000

export const AppsPage = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const mayDeploy = may('deployments:write')
  return (
    <ResourcePage<Schemas['App']>
      title={t.apps}
      actions={
        <>
          {may('git_sources:write') ? (
            <ButtonLink to="/w/$ws/git-sources" params={{ ws }} search={{ form: 'new' }}>
              <GitBranch size={15} aria-hidden="true" />
              {t.fromGit}
            </ButtonLink>
          ) : null}
          <FormButton need="deployments:write" label={t.newApp}>
            {(close) => <NewApp onClose={close} />}
          </FormButton>
        </>
      }
      isByName
      queryKey={[ws, 'apps']}
      read={(page) => api.get('/apps', page)}
      keyOf={({ key }) => key}
      columns={useColumns(ws)}
      empty={{
        title: t.none,
        text: mayDeploy ? t.noneText : t.noneReader,
        children: mayDeploy ? <DeployGuide /> : null,
      }}
    />
  )
}

/** Counts of the last day by app; empty until they are loaded. */
const useCounts = (ws: string): ReadonlyMap<string, Schemas['JobSummary']['by_app'][number]> => {
  const api = useApi()
  const may = useMay()
  const { data } = useQuery({
    queryKey: [ws, 'summary', DAY_S],
    queryFn: ({ signal }) => api.get('/jobs/summary', { query: { recent_seconds: DAY_S }, signal }),
    refetchInterval: COUNTS_EVERY_MS,
    enabled: may('jobs:read'),
  })
  return new Map((data?.by_app ?? []).map((each) => [each.app, each]))
}

const useColumns = (ws: string): readonly Column<Schemas['App']>[] => {
  const t = useMessages(messages)
  const { compact } = useFormat()
  const counts = useCounts(ws)
  const count = (value: number | undefined): string =>
    value === undefined || value === 0 ? '–' : compact(value)
  return [
    column(t.app, 'minmax(8rem, 1.5fr)', ({ key }) => (
      <RowLink to="/w/$ws/apps/$app" params={{ ws, app: key }}>
        {key}
      </RowLink>
    )),
    wide(text(t.name, 'minmax(6rem, 1.5fr)', ({ name }) => name)),
    wide(
      column(t.source, '5rem', ({ deployment_id, git_source_id }) => {
        if (git_source_id !== null) return t.git
        return deployment_id === null ? t.empty : t.upload
      }),
    ),
    wide(column(t.version, '6.5rem', ({ commit }) => <CommitId commit={commit} />)),
    wide(atEnd(column(t.running, '5.5rem', ({ key }) => count(counts.get(key)?.running)))),
    wide(atEnd(column(t.completed, '8rem', ({ key }) => count(counts.get(key)?.completed)))),
    atEnd(
      column(t.failed, '6rem', ({ key }) => {
        const failed = counts.get(key)?.failed ?? 0
        return failed === 0 ? '–' : <span style={{ color: 'var(--bad)' }}>{compact(failed)}</span>
      }),
    ),
    age(t.changed, ({ updated_at }) => updated_at),
  ]
}
