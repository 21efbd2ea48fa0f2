/** Level `none`: plain Node, for code that you trust as you trust svc itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUEST_SOURCE } from './guest.gen.ts'
import type { Provider } from './process-shape.ts'

export type NodeProviderOptions = Readonly<{ nodePath: string; runtimeDir: string }>

export const createNodeProvider = ({ nodePath, runtimeDir }: NodeProviderOptions): Provider => {
  const guestPath = join(runtimeDir, 'guest.mjs')
  mkdirSync(runtimeDir, { recursive: true, mode: 0o755 })
  writeFileSync(guestPath, GUEST_SOURCE, { mode: 0o644 })
  return {
    name: 'node',
    level: 'none',
    commandFor: ({ memoryMb }) => ({
      command: nodePath,
      args: [`--max-old-space-size=${memoryMb}`, guestPath],
      env: { NO_COLOR: '1' },
      user: null,
    }),
    probe: async () => ({
      ok: true,
      level: 'none',
      notes: ['Jobs run in plain Node: no wall stands between them and this machine.'],
    }),
  }
}
