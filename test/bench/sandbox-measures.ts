/** S3, S5 and S6 under each sandbox, with and without reuse of processes: the cost of confinement. */
import type { Measure } from './measure.ts'

type World = Readonly<{ name: string; words: string; settings: Readonly<Record<string, string>> }>

const WORLDS: readonly World[] = [
  { name: 'bubblewrap', words: 'bubblewrap', settings: { SVC_SANDBOX: 'bubblewrap' } },
  { name: 'deno', words: 'Deno alone', settings: { SVC_SANDBOX: 'deno' } },
  {
    name: 'bubblewrap fresh',
    words: 'bubblewrap, a process for each job',
    settings: { SVC_SANDBOX: 'bubblewrap', SVC_SANDBOX_REUSE: 'off' },
  },
  {
    name: 'deno fresh',
    words: 'Deno alone, a process for each job',
    settings: { SVC_SANDBOX: 'deno', SVC_SANDBOX_REUSE: 'off' },
  },
]

const SUBJECTS: readonly Pick<Measure, 'id' | 'title' | 'unit' | 'better' | 'ours'>[] = [
  {
    id: 'S3',
    title: 'Drain no-op jobs',
    unit: 'jobs/s',
    better: 'higher',
    ours: ['run-engine.ts', 'sandbox'],
  },
  {
    id: 'S5',
    title: 'HTTP run-and-wait of a no-op, p50',
    unit: 'ms',
    better: 'lower',
    ours: ['run-node.ts', 'wait'],
  },
  {
    id: 'S6',
    title: 'First call of a bundle, p50',
    unit: 'ms',
    better: 'lower',
    ours: ['run-node.ts', 'cold'],
  },
]

export const SANDBOX_MEASURES: readonly Measure[] = SUBJECTS.flatMap((subject) =>
  WORLDS.map(({ name, words, settings }) => ({
    ...subject,
    id: `${subject.id} ${name}`,
    title: `${subject.title}: ${words}`,
    target: '–',
    isMet: () => true,
    settings,
    runs: 3,
  })),
)
