/**
 * Makes a former deployment current again, as a new deployment with the same code, manifest and functions. Running jobs
 * and flow runs keep what they pinned.
 */
import type { Actor } from '#core/access/actor.ts'
import { overtaken } from '#core/deploy/overtaken.ts'
import { findPolicyFaults } from '#core/deploy/policy.ts'
import { conflict, notFound, unprocessable } from '#core/error.ts'
import { storedEvents, storedSchedules } from '#core/manifest/manifest.ts'
import { findApp, upsertDeployedApp } from '#store/apps/apps.ts'
import { type Deployment, findDeployment, findDeploymentContent } from '#store/apps/deployments.ts'
import {
  copyDeploymentActions,
  type FormerDeployment,
  findFormerDeployment,
  insertRedeployment,
  type Redeployment,
  restoreFunctions,
} from '#store/apps/redeployments.ts'
import { copyDeploymentFiles } from '#store/apps/source-files.ts'
import type { Statement } from '#store/database.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { readDeploymentActions } from '../flows/pinned-flows.ts'
import { runsFunctions } from '../functions/runs-functions.ts'
import { clearDeletedApp } from '../left-rows.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { scheduleStatements } from '../schedules/deploy-schedules.ts'
import { resumeOtherSchedules, resumeSchedules } from '../schedules/resume-schedules.ts'
import type { Deployed } from './deploy-app.ts'
import { eventStatements } from './deploy-events.ts'
import { deployPolicyOf } from './deploy-policy.ts'

type RedeployDeps = Pick<Deps, 'db' | 'newId' | 'limits' | 'storage'>

export type RedeployRequest = Readonly<{
  ws: string
  id: string
  message: string | null
  actor: Actor
}>

/** Redeploys a former deployment. @throws {AppError} not_found; unprocessable; conflict `already_current`; rate_limited `storage_full`; unavailable */
export const redeployApp = async (
  deps: RedeployDeps,
  request: RedeployRequest,
): Promise<Deployed> => {
  const { ws, actor } = request
  const former = await findFormerDeployment(deps.db, ws, request.id)
  if (former === null) throw notFound('Deployment', { code: 'deployment_not_found' })
  await deps.storage.pass(ws)
  await checkPolicy(deps, request)
  const { actions = [], flows = [] } = (await findDeployment(deps.db, ws, request.id)) ?? {}
  const keys = { actions, flows }
  const content = await findDeploymentContent(deps.db, request.id)
  const schedules = storedSchedules(content.manifestJson)
  const events = storedEvents(content.manifestJson)
  const made: Redeployment = {
    id: deps.newId(),
    ws,
    app: former.app,
    formerId: request.id,
    message: request.message,
    createdBy: actor.identity,
  }
  return retryOnConflict(async () => {
    const replaces = (await findApp(deps.db, ws, former.app))?.deploymentId ?? null
    if (replaces === request.id) await refuseCurrent(deps, ws, former)
    if (replaces === null) await clearDeletedApp(deps, made)
    const statements = [
      ...toStatements(deps, { made, former, actor, replaces }),
      ...(await resumeSchedules(deps, { ...made, actor, ...keys })),
      ...(await scheduleStatements(deps, { ...made, actor, schedules })),
      ...eventStatements({ ...made, actor, events }),
    ]
    await deps.db.write(statements, { retry: true })
    const deployment = await findDeployment(deps.db, ws, made.id)
    if (deployment === null) return null
    await resumeOtherSchedules(deps, { ...made, actor, ...keys })
    return toDeployed(deployment, former)
  }, overtaken)
}

/** Checks the operator's current rules, which may be stricter than at the first deploy. @throws {AppError} unprocessable */
const checkPolicy = async (deps: RedeployDeps, { ws, id }: RedeployRequest): Promise<void> => {
  const actions = await readDeploymentActions(deps.db, id)
  const placed = actions.map((value, index) => ({ index, value }))
  const faults = findPolicyFaults(placed, await deployPolicyOf(deps, ws))
  if (faults.length === 0) return
  throw unprocessable('This deployment requests more than is allowed now.', {
    code: 'bad_manifest',
    details: faults.map(({ path, message }) => ({
      path: `actions.${placed[Number(path[1])]?.value.key}.${String(path[2])}`,
      message: `${message}.`,
    })),
  })
}

/** Refuses the current deployment, unless functions were deployed separately since. */
const refuseCurrent = async (
  deps: RedeployDeps,
  ws: string,
  { app, functions }: FormerDeployment,
): Promise<void> => {
  if (functions !== null && !(await runsFunctions(deps, { ws, app }, functions))) return
  throw conflict('This deployment is already the current one.', { code: 'already_current' })
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
    audited({ newId }, { ws, actor }, 'app.redeployed', target),
    copyDeploymentActions(made),
    copyDeploymentFiles(made),
    // null, so that the app stays with its git source
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
  deploymentId: id,
  app,
  commit,
  actions,
  flows,
  functions: [...(functions?.keys() ?? [])],
})
