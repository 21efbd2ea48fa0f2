/** Deployments that a sweep is deleting. Nothing shows them or makes them current again. */
import type { Statement } from '../database.ts'
import { raw } from '../sql.ts'

/** A condition: the deployment has not expired. @param alias of the table `deployments` */
export const isNotExpired = (alias: string): Statement =>
  raw(
    `NOT EXISTS (SELECT 1 FROM expired_deployments e WHERE e.ws = ${alias}.ws AND e.deployment_id = ${alias}.id)`,
  )
