import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { createDeadlineReporter } from './test/durations/deadline.ts'
import { createDurationReporter } from './test/durations/reporter.ts'
import { createSecondTryReporter } from './test/durations/second-try.ts'
import { filesOutOfTurn } from './test/durations/shares.ts'
import { readSlowFiles, SlowFirst } from './test/durations/slow-first.ts'
import { createUnhandledReporter } from './test/durations/unhandled.ts'

// workers compile the sources once for all runs
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/svc-tests')

/** Pure rules, and use cases with a file database: milliseconds each. */
const UNIT = ['internal/{config,core,http,registry,service,store}/**/*.test.ts']
const CONSOLE = ['web/**/*.test.ts']
/** They need both cores, or judge time and cost: they run one at a time, after all others. */
const ALONE = ['test/chaos/chaos.test.ts', 'test/e2e/pace.test.ts', 'test/jobs/hint-cost.test.ts']
/**
 * They wait for browsers, commands and nodes, which a busy machine delays: each is tried again once, and the end of the run
 * names those that needed it. Tests that inject faults or draw at random are never tried again.
 */
const PROCESSES = [
  'test/console/**/*.test.ts',
  'cmd/svc/**/*.test.ts',
  'test/e2e/{cancel-grace,developer,durable-events,fairness,flows,many-nodes}.test.ts',
  'test/e2e/{project,relay,scale-out,traces}.test.ts',
]
/**
 * Use cases and guests within the process of their test. One test in thousands ran into its timeout in CI and in no other place,
 * for no cause that was found; such a test is tried again, and the end of the run names it with the state of its process
 * (test/durations/explain-timeout.ts).
 */
const IN_PROCESS = ['test/{durable,flows,http,sandbox}/**/*.test.ts']
const ALL = ['{internal,cmd,sdk,test,web}/**/*.test.ts']
/** `make test` sets TEST_SHARE; a run of single files has all that it names. */
const OUT_OF_TURN = filesOutOfTurn(process.env.TEST_SHARE ?? 'all', readSlowFiles())
const NEVER = ['**/node_modules/**', 'test/bench/**', ...OUT_OF_TURN]

/** Set by `make test`. */
const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    // two for each of the two cores that may be all there is: files that start nodes wait for half of their time, for leases,
    // timeouts and browsers
    maxWorkers: 4,
    exclude: NEVER,
    // of what a test waits for, on a machine that does much else
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // files share a process: loading the sources for each took longer than most of the tests
    isolate: false,
    // hashes of passwords are cheap in these processes (test/support/password-cost.ts)
    execArgv: ['--conditions=svc-test'],
    // Node runs TypeScript by itself
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: SlowFirst },
    setupFiles: ['test/durations/explain-timeout.ts', 'test/support/restored-globals.ts'],
    // a failed comparison of lists prints them whole
    chaiConfig: { truncateThreshold: 0 },
    reporters:
      report === undefined
        ? ['default']
        : [
            'default',
            ['json', { outputFile: report }],
            createDeadlineReporter(Number(process.env.TEST_DEADLINE_S ?? '0')),
            createDurationReporter(),
            createUnhandledReporter(),
            createSecondTryReporter(),
          ],
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        // Node runs no TSX
        test: { name: 'console', include: CONSOLE, experimental: { viteModuleRunner: true } },
      },
      {
        extends: true,
        test: {
          name: 'suite',
          include: ALL,
          exclude: [...UNIT, ...CONSOLE, ...PROCESSES, ...ALONE, ...IN_PROCESS],
        },
      },
      {
        extends: true,
        test: {
          name: 'in process',
          include: IN_PROCESS,
          retry: { count: 1, condition: /^Test timed out in/ },
        },
      },
      { extends: true, test: { name: 'processes', include: PROCESSES, retry: 1 } },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
