import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{internal,cmd,sdk,test,web}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/bench/**'],
    // processes are started and killed in some tests; two cores may be all there is
    // many tests wait for processes more than they compute
    maxWorkers: 2,
    // of what a test waits for, on a machine that does much else
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
