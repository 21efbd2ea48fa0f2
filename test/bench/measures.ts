/** What is measured: the targets of the design, who takes part, and how a figure reads. */
import { SANDBOX_MEASURES } from './sandbox-measures.ts'

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

const atLeast = (least: number) => (median: number) => median >= least
const below = (most: number) => (median: number) => median < most

export const MEASURES: readonly Measure[] = [
  {
    id: 'S1',
    title: 'Durable enqueue, one at a time, in process',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 4,000',
    isMet: atLeast(4_000),
    ours: ['run-engine.ts', 'enqueue'],
    peers: 'enqueue',
    runs: 5,
    isOneByOne: true,
    chart: true,
  },
  {
    id: 'S1 store',
    title: 'The same rows by the store alone, without the service',
    unit: 'jobs/s',
    better: 'higher',
    target: '–',
    isMet: () => true,
    ours: ['run-engine.ts', 'store'],
    runs: 5,
    isOneByOne: true,
  },
  {
    id: 'S1 HTTP',
    title: 'Durable enqueue over HTTP with token check, 64 at once',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 5,000',
    isMet: atLeast(5_000),
    ours: ['run-node.ts', 'enqueue'],
    runs: 5,
  },
  {
    id: 'S2',
    title: 'Drain a backlog of no-op jobs, in process, durable',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 30,000',
    isMet: atLeast(30_000),
    ours: ['run-engine.ts', 'drain'],
    peers: 'drain',
    runs: 5,
    chart: true,
  },
  {
    id: 'S3',
    title: 'Drain no-op jobs through the warm sandbox',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 3,000',
    isMet: atLeast(3_000),
    ours: ['run-engine.ts', 'sandbox'],
    runs: 5,
  },
  {
    id: 'S4',
    title: 'Enqueue to start on an idle queue, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 1',
    isMet: below(1),
    ours: ['run-engine.ts', 'latency'],
    peers: 'latency',
    runs: 5,
    chart: true,
  },
  {
    id: 'S5',
    title: 'HTTP run-and-wait of a no-op, warm sandbox, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 4; p99 < 20',
    isMet: below(4),
    ours: ['run-node.ts', 'wait'],
    runs: 5,
    alsoBelow: { p99: 20 },
  },
  {
    id: 'S6',
    title: 'The same, first call of a bundle, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 30',
    isMet: below(30),
    ours: ['run-node.ts', 'cold'],
    runs: 5,
  },
  {
    id: 'S7',
    title: 'Flow of three actions in a row, sandboxed, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 6 (now < 8)',
    isMet: below(6),
    ours: ['run-flows.ts', 'latency'],
    peers: 'flow',
    runs: 5,
    chart: true,
  },
  {
    id: 'S7 rate',
    title: 'The same, 64 at once',
    unit: 'flows/s',
    better: 'higher',
    target: '≥ 800 (now ≥ 500)',
    isMet: atLeast(800),
    ours: ['run-flows.ts', 'rate'],
    peers: 'flows',
    runs: 5,
    chart: true,
  },
  ...[125, 250, 500, 1_000].map(
    (items): Measure => ({
      id: `S7 loop ${items}`,
      title: `A loop of ${items} items, 50 at a time, sandboxed`,
      unit: 'ms',
      better: 'lower',
      target: '–',
      isMet: () => true,
      ours: ['run-flows.ts', 'loop', String(items)],
      runs: 3,
    }),
  ),
  {
    id: 'S8 small',
    title: 'Claim of one job while 1,000 are queued, p50',
    unit: 'ms',
    better: 'lower',
    target: '–',
    isMet: () => true,
    ours: ['run-engine.ts', 'backlog', '1000'],
    runs: 5,
  },
  {
    id: 'S8 large',
    title: 'Claim of one job while 1,000,000 are queued, p50',
    unit: 'ms',
    better: 'lower',
    target: '≤ 1.3 × S8 small',
    isMet: () => true,
    ours: ['run-engine.ts', 'backlog', '1000000'],
    runs: 5,
  },
  {
    id: 'S8 list',
    title: 'Page 10,000 of the job list against page 1, of 1,000,000 ended jobs',
    unit: '×',
    better: 'lower',
    target: '≤ 1.3',
    isMet: below(1.3),
    ours: ['run-history.ts', '1000000'],
    // filling takes longer than measuring
    runs: 3,
  },
  {
    id: 'S9',
    title: 'Idle `svc start` over 30 s: bytes written, CPU, memory of the node itself',
    unit: 'B/s',
    better: 'lower',
    target: '0; CPU < 0.5 %; < 150 MB',
    isMet: (median) => median === 0,
    ours: ['run-node.ts', 'idle'],
    // each watches half a minute, and all of it must end within ten
    runs: 3,
    alsoBelow: { cpuPercent: 0.5, ownRssMb: 150 },
  },
  {
    id: 'S10',
    title: 'Start to ready, an existing database',
    unit: 'ms',
    better: 'lower',
    target: '< 500',
    isMet: below(500),
    ours: ['run-node.ts', 'ready'],
    runs: 5,
  },
  {
    id: 'S10 large',
    title: 'Start to ready, with 1,000,000 ended jobs',
    unit: 'ms',
    better: 'lower',
    target: '< 500',
    isMet: below(500),
    ours: ['run-node.ts', 'ready', '1000000'],
    runs: 3,
  },
  {
    id: 'S11 enqueue',
    title: 'Over sqld: enqueue, 64 at once',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 3,000',
    isMet: atLeast(3_000),
    ours: ['run-sqld.ts', 'enqueue'],
    runs: 5,
  },
  {
    id: 'S11 drain',
    title: 'Over sqld: drain a backlog of no-op jobs with 4 workers',
    unit: 'jobs/s',
    better: 'higher',
    target: '≥ 1,500',
    isMet: atLeast(1_500),
    ours: ['run-sqld.ts', 'drain'],
    runs: 5,
  },
  {
    id: 'S12',
    title: 'Function call through /fn, warm, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 3',
    isMet: below(3),
    ours: ['run-node.ts', 'function'],
    runs: 5,
  },
  {
    id: 'S12 rate',
    title: 'The same, 32 at once',
    unit: 'calls/s',
    better: 'higher',
    target: '≥ 2,000',
    isMet: atLeast(2_000),
    ours: ['run-node.ts', 'functions'],
    runs: 5,
  },
  {
    id: 'S13',
    title: 'Registry certificate of 10 pages, over HTTP, p50',
    unit: 'ms',
    better: 'lower',
    target: '< 150',
    isMet: below(150),
    ours: ['run-parser.ts'],
    runs: 3,
  },
  {
    id: 'S14',
    title: 'Death of the node to the next run of its job, at defaults',
    unit: 's',
    better: 'lower',
    target: '≤ 12',
    isMet: below(12),
    ours: ['run-node.ts', 'crash'],
    runs: 3,
  },
  ...SANDBOX_MEASURES,
]
