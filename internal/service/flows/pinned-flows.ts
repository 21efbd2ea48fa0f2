/** Caches the flows and actions of deployments, which never change. */
import QuickLRU from 'quick-lru'
import { z } from 'zod'
import type { ActionDefinition } from '#core/action/definition.ts'
import { type QuickCheck, quickCheck } from '#core/action/input-schema.ts'
import { approvalFlow, approvalFlowKey } from '#core/agent/approval-flow.ts'
import { type FlowDefinition, flowSchema } from '#core/flow/definition.ts'
import { unwindingFlows } from '#core/flow/undo.ts'
import { writtenByNewer } from '#core/newer-svc.ts'
import { findDeploymentContent, listDeploymentActions } from '#store/apps/deployments.ts'
import type { Database } from '#store/database.ts'
import { readInPortions } from '../portions/read-portions.ts'

export type PinnedApp = Readonly<{
  /** Including those that svc adds for actions whose calls need an approval. */
  flows: ReadonlyMap<string, FlowDefinition>
  /** Keys of the flows whose runs a cancel may not end at once. */
  unwinding: ReadonlySet<string>
  /** The check of a start input, by flow key; null for a flow without a schema. */
  inputChecks: ReadonlyMap<string, QuickCheck | null>
  actions: ReadonlyMap<string, ActionDefinition>
}>

export interface PinnedFlows {
  /** @throws {AppError} unavailable: a newer svc stored one of its flows in a form that this one does not know */
  find(deploymentId: string): Promise<PinnedApp>
}

const MAX_KNOWN = 500

const manifest = z.looseObject({ flows: z.array(flowSchema).default([]) })

const parseFlows = (manifestJson: string): readonly FlowDefinition[] => {
  const { success, data, error } = manifest.safeParse(JSON.parse(manifestJson))
  if (!success) throw writtenByNewer('A flow of this deployment', error)
  return data.flows
}

const ACTIONS_AT_ONCE = 64

/** Returns the actions that a deployment pinned. Their input schemas may have megabytes. */
export const readDeploymentActions = (
  db: Database,
  deploymentId: string,
): Promise<readonly ActionDefinition[]> =>
  readInPortions<ActionDefinition>(db, ACTIONS_AT_ONCE, (after, limit) =>
    listDeploymentActions(db, deploymentId, { afterKey: after?.key ?? '', limit }),
  )

/** Creates the cache of flows and actions by deployment, which never change. */
export const createPinnedFlows = (db: Database): PinnedFlows => {
  const known = new QuickLRU<string, PinnedApp>({ maxSize: MAX_KNOWN })
  return {
    find: async (deploymentId) => {
      const cached = known.get(deploymentId)
      if (cached !== undefined) return cached
      const { manifestJson } = await findDeploymentContent(db, deploymentId)
      const actions = await readDeploymentActions(db, deploymentId)
      const declared = parseFlows(manifestJson)
      const approved = actions.filter(({ expose }) => expose?.approval === true)
      const all = [...declared, ...approved.map(approvalFlow)]
      const flows = new Map(all.map((flow) => [flow.key, flow]))
      const app = {
        flows,
        unwinding: unwindingFlows(flows),
        inputChecks: new Map([
          ...declared.map(({ key, inputSchema = null }) => [key, quickCheck(inputSchema)] as const),
          ...approved.map(
            (each) => [approvalFlowKey(each.key), quickCheck(each.inputSchema)] as const,
          ),
        ]),
        actions: new Map(actions.map((action) => [action.key, action])),
      }
      known.set(deploymentId, app)
      return app
    },
  }
}
