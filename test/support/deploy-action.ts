/** Rows of a deployed app, for tests that need something to run but no code. Bundling has its own tests. */
import type { ActionDefinition } from '#core/action/definition.ts'
import type { AppAddress } from '#core/app-address.ts'
import type { Deps } from '#service/deps.ts'
import { findApp, hasDeployment, upsertDeployedApp } from '#store/apps/apps.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import { insertDeployment, insertDeploymentAction } from '#store/apps/deployments.ts'
import { actionDefinition } from './action-definition.ts'

export type ActionOptions = AppAddress & Pick<ActionDefinition, 'key'> & Partial<ActionDefinition>

/** Deploys an app with these actions. Each call is a new deployment. @returns its id */
export const deployActions = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  [first, ...others]: readonly [ActionOptions, ...ActionOptions[]],
  flows: readonly unknown[] = [],
  webhooks: readonly unknown[] = [],
): Promise<string> => {
  const id = deps.newId()
  const { ws, app } = first
  const replaces = (await findApp(deps.db, ws, app))?.deploymentId ?? null
  await deps.db.write([
    insertBundle(id, { code: 'export const main = () => 1', sourceMap: '{}' }),
    insertDeployment(
      {
        id,
        ws,
        app,
        commit: `commit-${id}`,
        source: 'upload',
        gitSourceId: null,
        message: null,
        manifestJson: JSON.stringify({ flows, webhooks }),
        createdBy: 'test',
        functions: null,
      },
      hasDeployment({ ws, key: app }, replaces),
    ),
    ...[first, ...others].map(({ ws: _ws, app: _app, ...options }) => {
      const definition = { ...actionDefinition(options.key), ...options }
      return insertDeploymentAction(id, definition, id)
    }),
    upsertDeployedApp({ ws, key: app, name: app, deploymentId: id, gitSourceId: null }, replaces),
  ])
  return id
}
