import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['internal/**/*.test.ts', 'cmd/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
