/** The event targets of a manifest, as part of its deployment [events 3.1]. */
import type { Actor } from '#core/access/actor.ts'
import type { EventTarget } from '#core/event/target.ts'
import type { Statement } from '#store/database.ts'
import { replaceEventTargets } from '#store/events/targets.ts'

export type DeployedEvents = Readonly<{
  /** Id of the deployment that becomes current. */
  id: string
  ws: string
  app: string
  /** The jobs and runs that events start run as this person. */
  actor: Actor
  events: readonly EventTarget[]
}>

/** Returns the statements; they must follow those that make the deployment current. */
export const eventStatements = ({
  id: deploymentId,
  ws,
  app,
  actor,
  events,
}: DeployedEvents): readonly Statement[] =>
  replaceEventTargets({
    ws,
    app,
    deploymentId,
    permissionedAs: actor.identity,
    targets: events.map(({ name, action, flow = '' }) =>
      action === undefined
        ? { name, kind: 'flow', target: flow }
        : { name, kind: 'action', target: action },
    ),
  })
