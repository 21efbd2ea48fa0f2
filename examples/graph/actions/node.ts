import type { ActionContext } from '@svc/sdk'

export type NodeInput = { op: 'value' | 'sum' | 'product'; value: number | null; values: number[] }

export const compute = ({ op, value, values }: NodeInput): number => {
  if (op === 'value') return value ?? 0
  return op === 'sum'
    ? values.reduce((sum, each) => sum + each, 0)
    : values.reduce((product, each) => product * each, 1)
}

export const main = ({ input }: ActionContext<NodeInput>) => compute(input)
