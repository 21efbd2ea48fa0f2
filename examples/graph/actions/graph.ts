import type { ActionContext, Json } from '@svc/sdk'

export type GraphNode = Readonly<{
  id: string
  op: 'value' | 'sum' | 'product'
  value?: number
  needs?: readonly string[]
}>
type Input = { nodes: readonly GraphNode[] }

/** By its name svc tries no further. With the package at hand it is `new NonRetryableError(message)`. */
const final = (message: string): Error =>
  Object.assign(new Error(message), { name: 'NonRetryableError' })

/** @throws {Error} a node needs itself, or one that is not there */
const checkGraph = (nodes: readonly GraphNode[]): void => {
  const done = new Set<string>()
  for (let left = [...nodes]; left.length > 0; ) {
    const ready = left.filter(({ needs = [] }) => needs.every((id) => done.has(id)))
    if (ready.length === 0) {
      throw final(`These nodes can never run: ${left.map(({ id }) => id).join(', ')}`)
    }
    for (const { id } of ready) done.add(id)
    left = left.filter((node) => !ready.includes(node))
  }
}

/** Each node is a job of its own; those that need nothing of each other run at the same time. */
export const main = async (ctx: ActionContext<Input>) => {
  const { nodes } = ctx.input
  checkGraph(nodes)
  const running = new Map<string, Promise<Json>>()
  const run = (node: GraphNode): Promise<Json> => {
    const known = running.get(node.id)
    if (known !== undefined) return known
    const inputs = (node.needs ?? []).map((id) => {
      const needed = nodes.find((each) => each.id === id)
      if (needed === undefined) throw final(`There is no node ${id}.`)
      return run(needed)
    })
    const result = Promise.all(inputs).then((values) =>
      ctx.call(node.id, 'node', { op: node.op, value: node.value ?? null, values }),
    )
    running.set(node.id, result)
    return result
  }
  const results = await Promise.all(nodes.map(run))
  return Object.fromEntries(nodes.map(({ id }, at) => [id, results[at] ?? null]))
}
