/** What a deployment holds of flows and actions. Deployments never change, so it is kept in memory. */
import { z } from 'zod'
import type { ActionDefinition } from '#core/action-definition.ts'
import { type FlowDefinition, flowSchema } from '#core/flow/definition.ts'
import type { Database } from '#store/database.ts'
import { findDeploymentActions, findDeploymentContent } from '#store/deployments.ts'

export type PinnedApp = Readonly<{
  flows: ReadonlyMap<string, FlowDefinition>
  actions: ReadonlyMap<string, ActionDefinition>
}>

export interface PinnedFlows {
  find(deploymentId: string): Promise<PinnedApp>
}

const MAX_KNOWN = 500

const manifest = z.looseObject({ flows: z.array(flowSchema).default([]) })

/** Creates the cache of flows and actions by deployment, which never change. */
export const createPinnedFlows = (db: Database): PinnedFlows => {
  const known = new Map<string, PinnedApp>()
  return {
    find: async (deploymentId) => {
      const cached = known.get(deploymentId)
      if (cached !== undefined) return cached
      const { manifestJson } = await findDeploymentContent(db, deploymentId)
      const { flows } = manifest.parse(JSON.parse(manifestJson))
      const actions = await findDeploymentActions(db, deploymentId)
      const app = {
        flows: new Map(flows.map((flow) => [flow.key, flow])),
        actions: new Map(actions.map((action) => [action.key, action])),
      }
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(deploymentId, app)
      return app
    },
  }
}
