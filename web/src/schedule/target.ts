/** The target of a schedule as one name. Pure. */
import type { Schemas } from '#sdk/client.ts'

type Target = Pick<Schemas['Schedule'], 'app_key' | 'action_key' | 'flow_key'>

export const targetName = ({ app_key, action_key, flow_key }: Target): string =>
  `${app_key}/${action_key ?? flow_key ?? ''}`
