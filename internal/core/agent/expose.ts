/** What a manifest exposes to agents, which call it as tools over MCP [agents 1.1]. */
import { z } from 'zod'
import { limit } from '../limit.ts'
import type { Fault, Row } from '../manifest/fault.ts'
import { mapping, text, yesOrNo } from '../manifest/fields.ts'
import { OWN_TOOLS, toToolName } from './tool-name.ts'

const MAX_DESCRIPTION = limit(
  'app.tool_description',
  2_000,
  'characters',
  '`description` of what a manifest exposes to agents.',
)

const fields = {
  mcp: yesOrNo,
  description: text(MAX_DESCRIPTION).optional(),
}

const EXAMPLE = '{ mcp: true }'

/** `expose` of a flow. */
export const flowExpose = mapping(fields, EXAMPLE)

/** `expose` of an action. `approval`: a person must approve each call of an agent. */
export const actionExpose = mapping({ ...fields, approval: yesOrNo.optional() }, EXAMPLE)

export type ActionExpose = Readonly<z.infer<typeof actionExpose>>
type Exposed = Readonly<{ key: string; expose?: Readonly<{ mcp: boolean }> | undefined }>

/** As a deployment stores it. */
export const storedActionExpose = z.strictObject({
  mcp: z.boolean(),
  description: z.string().optional(),
  approval: z.boolean().optional(),
})

/** Finds tools whose names are taken by a tool of svc, or by an action with the same key. */
export const findExposeFaults = (
  app: string,
  actions: readonly Row<Exposed>[],
  flows: readonly Row<Exposed>[],
): readonly Fault[] => {
  const isOpen = ({ value }: Row<Exposed>): boolean => value.expose?.mcp === true
  const openActions = new Set(actions.filter(isOpen).map(({ value }) => value.key))
  const taken = (list: 'actions' | 'flows', rows: readonly Row<Exposed>[]): readonly Fault[] =>
    rows.filter(isOpen).flatMap(({ index, value: { key } }) => {
      const path = [list, index, 'expose', 'mcp']
      const name = toToolName({ app, key })
      if (OWN_TOOLS.some((own) => own === name)) {
        return [{ path, message: `${name} is a tool of svc itself; choose another key` }]
      }
      if (list === 'flows' && openActions.has(key)) {
        return [{ path, message: `the action "${key}" is exposed under the same name ${name}` }]
      }
      return []
    })
  return [...taken('actions', actions), ...taken('flows', flows)]
}
