/** One thing that is measured, and who takes part. */
export type Participant = 'svc' | 'graphile-worker' | 'pg-boss' | 'bullmq' | 'dbos' | 'restate'

export type Measure = Readonly<{
  id: string
  /** One line for the table and the chart. */
  title: string
  unit: string
  /** Higher is better for rates, lower for times. */
  better: 'higher' | 'lower'
  target: string
  isMet: (median: number) => boolean
  /** Script and arguments of our sample, below test/bench. */
  ours: readonly [script: string, ...args: string[]]
  /** Settings of svc for this one. @default none: as it comes */
  settings?: Readonly<Record<string, string>>
  /** The scenario of the peers that also offers it. */
  peers?: 'enqueue' | 'drain' | 'latency' | 'flow' | 'flows'
  runs: number
  /** Further figures of the sample that count for the target, each with the value it must stay below. */
  alsoBelow?: Readonly<Record<string, number>>
  /** One commit each: shown as a share of what the disk can do. */
  isOneByOne?: true
  /** Drawn beside the peers. */
  chart?: true
}>
