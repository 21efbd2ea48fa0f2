/** One measure, with its participants. */
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
  /** Script and arguments of our sample, relative to test/bench. */
  ours: readonly [script: string, ...args: string[]]
  /** Settings of svc for this measure. @default none */
  settings?: Readonly<Record<string, string>>
  /** The scenario of the peers that offer it too. */
  peers?: 'enqueue' | 'drain' | 'latency' | 'flow' | 'flows'
  runs: number
  /** Further figures of the sample that count for the target, each with its upper limit. */
  alsoBelow?: Readonly<Record<string, number>>
  /** Whether each operation is one commit; shown as a share of what the disk can do. */
  isOneByOne?: true
  /** Whether it is drawn in the chart with the peers. */
  chart?: true
}>
