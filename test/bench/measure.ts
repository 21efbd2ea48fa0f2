/** A measured figure, and its participants. */
export type Participant = 'svc' | 'graphile-worker' | 'pg-boss' | 'bullmq' | 'dbos' | 'restate'

export type Measure = Readonly<{
  id: string
  /** One line in the table and the chart. */
  title: string
  unit: string
  /** Higher is better for rates, lower for times. */
  better: 'higher' | 'lower'
  target: string
  isMet: (median: number) => boolean
  /** Script and arguments of svc's sample, below test/bench. */
  ours: readonly [script: string, ...args: string[]]
  /** Settings of svc for this measure. @default none: the default settings */
  settings?: Readonly<Record<string, string>>
  /** The peers' scenario with the same measure. */
  peers?: 'enqueue' | 'drain' | 'latency' | 'flow' | 'flows'
  runs: number
  /** Further figures of the sample that count for the target, each with the limit that it must stay below. */
  alsoBelow?: Readonly<Record<string, number>>
  /** Each item is one commit: the figure is shown as a share of what the disk can do. */
  isOneByOne?: true
  /** Shown in the chart next to the peers. */
  chart?: true
}>
