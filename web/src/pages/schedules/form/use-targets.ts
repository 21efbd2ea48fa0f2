/** The targets that a schedule can run: apps, their actions and flows, and the input schema of each. */
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#sdk/client.ts'
import { readDefinition } from '../../../flow/definition.ts'
import { useActionSchemas } from '../../../flow/start-dialog.tsx'
import { startSchema } from '../../../flow/start-schema.ts'
import type { Query } from '../../../kit/detail-page.tsx'
import { allAppsQuery, allFlowsQuery } from '../../../kit/target-names.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { useMay } from '../../../session/session.ts'
import type { Draft } from './draft.ts'

export type Targets = Readonly<{
  apps: readonly string[] | undefined
  /** The keys for the selected app and kind. */
  keys: readonly string[] | undefined
  /** The schema of the selected target; undefined until it is loaded, null if it has none. */
  schema: unknown
  /** What could not be loaded. */
  failed: Query<unknown> | undefined
}>

const NOT_FOUND = 404

/** An app that is not deployed any more has no targets, and another one can be selected. */
const hasFailed = ({ data, error }: Pick<Query<unknown>, 'data' | 'error'>): boolean =>
  data === undefined && error !== null && !(error instanceof ApiError && error.status === NOT_FOUND)

export const useTargets = ({ app, kind, target }: Draft): Targets => {
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const apps = useQuery({ ...allAppsQuery(api, ws), enabled: may('apps:read') })
  const flows = useQuery({ ...allFlowsQuery(api, ws), enabled: may('flows:read') })
  const actions = useActionSchemas(app)
  const schemas = actions.data
  const ofApp = flows.data?.items.filter((flow) => flow.app === app)
  const keys = kind === 'flow' ? ofApp?.map(({ key }) => key) : schemas && [...schemas.keys()]
  const flow = ofApp?.find(({ key }) => key === target)
  const schemaOfFlow =
    flow === undefined || schemas === undefined
      ? undefined
      : startSchema(readDefinition(flow.definition), schemas)
  const schemaOfAction = schemas === undefined ? undefined : (schemas.get(target) ?? null)
  return {
    // an app that was never deployed has nothing to run
    apps: apps.data?.items.filter(({ commit }) => commit !== null).map(({ key }) => key),
    keys: app === '' ? [] : keys,
    failed: [apps, flows, actions].find(hasFailed),
    schema: target === '' ? null : kind === 'flow' ? schemaOfFlow : schemaOfAction,
  }
}
