/**
 * Level `none`: plain Node, for code that you trust as much as svc itself. It
 * has limits on time, memory and output, but no confinement.
 */
import { NODE_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { Provider } from './provider.ts'

export type NodeProviderOptions = Readonly<{
  nodePath: string
  /** A folder for the guest program. */
  runtimeDir: string
  /** Arguments that start the guest, for a single-file executable that embeds it. @default the guest's file */
  guestArgs?: readonly string[]
}>

/** Creates the provider that starts each guest as plain Node. */
export const createNodeProvider = ({
  nodePath,
  runtimeDir,
  guestArgs = [writeGuest(runtimeDir, NODE_GUEST_SOURCE)],
}: NodeProviderOptions): Provider => ({
  name: 'node',
  level: 'none',
  commandFor:
    ({ memoryMb }) =>
    (folder) => ({
      ...wrapCommand({ command: nodePath, args: guestArgs, identity: null }),
      env: {
        HOME: folder,
        TMPDIR: folder,
        NO_COLOR: '1',
        // a single-file executable accepts no arguments for Node
        NODE_OPTIONS: `--max-old-space-size=${memoryMb}`,
      },
    }),
  probe: async () => ({
    ok: true,
    level: 'none',
    notes: [
      'Jobs run in plain Node: nothing confines them, and they can reach all of this machine.',
    ],
  }),
})
