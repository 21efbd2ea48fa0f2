/**
 * Makes a former deployment current again, as a new deployment of the same content: code, manifest and functions are
 * those of then. Jobs and runs that are under way keep what they pinned.
 */
import type { Actor } from '#core/actor.ts'
import { findPolicyFaults } from '#core/deploy-policy.ts'
import { AppError, conflict, notFound } from '#core/error.ts'
import { findApp, upsertDeployedApp } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Statement } from '#store/database.ts'
import { type Deployment, findDeployment, findDeploymentActions } from '#store/deployments.ts'
import { listFunctionHashes } from '#store/functions.ts'
import {
  copyDeploymentActions,
  type FormerDeployment,
  findFormerDeployment,
  insertRedeployment,
  type Redeployment,
  restoreFunctions,
} from '#store/redeployments.ts'
import { copyDeploymentFiles } from '#store/source-files.ts'
import { type Deployed, MAX_DEPLOY_TRIES, overtaken } from './deploy-app.ts'
import { deployPolicyOf } from './deploy-policy.ts'
import type { Deps } from './deps.ts'
import { resumeSchedules } from './resume-schedules.ts'

type RedeployDeps = Pick<Deps, 'db' | 'newId' | 'limits'>

export type RedeployRequest = Readonly<{
  ws: string
  id: string
  message: string | null
  actor: Actor
}>

/** @throws {AppError} not_found; unprocessable; conflict `already_current`; unavailable */
export const redeployApp = async (
  deps: RedeployDeps,
  request: RedeployRequest,
): Promise<Deployed> => {
  const { ws, actor } = request
  const former = await findFormerDeployment(deps.db, ws, request.id)
  if (former === null) throw notFound('Deployment', { code: 'deployment_not_found' })
  await checkPolicy(deps, request)
  const { actions = [], flows = [] } = (await findDeployment(deps.db, ws, request.id)) ?? {}
  const keys = { actions, flows }
  const made: Redeployment = {
    id: deps.newId(),
    ws,
    app: former.app,
    formerId: request.id,
    message: request.message,
    createdBy: actor.identity,
  }
  for (let attempt = 0; attempt < MAX_DEPLOY_TRIES; attempt += 1) {
    const replaces = (await findApp(deps.db, ws, former.app))?.deploymentId ?? null
    if (replaces === request.id) await refuseCurrent(deps, ws, former)
    const statements = [
      ...toStatements(deps, { made, former, actor, replaces }),
      ...(await resumeSchedules(deps, { ...made, actor, ...keys })),
    ]
    await deps.db.write(statements, { retry: true })
    const deployment = await findDeployment(deps.db, ws, made.id)
    if (deployment !== null) return toDeployed(deployment, former)
  }
  throw overtaken()
}

/** The operator may allow less by now than when the deployment was made. @throws {AppError} unprocessable */
const checkPolicy = async (deps: RedeployDeps, { ws, id }: RedeployRequest): Promise<void> => {
  const actions = await findDeploymentActions(deps.db, id)
  const placed = actions.map((value, index) => ({ index, value }))
  const faults = findPolicyFaults(placed, await deployPolicyOf(deps, ws))
  if (faults.length === 0) return
  throw new AppError('unprocessable', 'This deployment asks for more than is allowed now.', {
    code: 'bad_manifest',
    details: faults.map(({ path, message }) => ({
      path: `actions.${placed[Number(path[1])]?.value.key}.${String(path[2])}`,
      message: `${message}.`,
    })),
  })
}

/** Functions may have been deployed one by one since: going back to those of then is something to do. */
const refuseCurrent = async (
  { db }: RedeployDeps,
  ws: string,
  { app, functions }: FormerDeployment,
): Promise<void> => {
  const live = functions === null ? new Map() : await listFunctionHashes(db, ws, app)
  const isSame =
    live.size === (functions?.size ?? 0) &&
    [...(functions ?? [])].every(([name, hash]) => live.get(name) === hash)
  if (!isSame) return
  throw conflict('This deployment is the current one already.', { code: 'already_current' })
}

type Plan = Readonly<{
  made: Redeployment
  former: FormerDeployment
  actor: Actor
  replaces: string | null
}>

const toStatements = (
  { newId }: RedeployDeps,
  { made, former, actor, replaces }: Plan,
): readonly Statement[] => {
  const { id, ws, app } = made
  const target = `${app} ${former.commit}`
  return [
    insertRedeployment(made, replaces),
    insertAuditEntryIfChanged({ id: newId(), ws, actor, action: 'app.redeployed', target }),
    copyDeploymentActions(made),
    copyDeploymentFiles(made),
    // it stays with the git source that holds it
    upsertDeployedApp(
      { ws, key: app, name: former.name, deploymentId: id, gitSourceId: null },
      replaces,
    ),
    ...restoreFunctions(made),
  ]
}

const toDeployed = (
  { id, app, commit, actions, flows }: Deployment,
  { functions }: FormerDeployment,
): Deployed => ({
  deployment_id: id,
  app,
  commit,
  actions,
  flows,
  functions: [...(functions?.keys() ?? [])],
})
