/**
 * Level `none`: plain Node, for code that you trust as you trust svc itself. Limits on time, memory and output hold;
 * walls there are none.
 */
import { NODE_GUEST_SOURCE } from '../guest/compiled.gen.ts'
import { writeGuest } from '../linux/runtime-file.ts'
import { wrapCommand } from '../linux/wrap-command.ts'
import type { Provider } from './provider.ts'

export type NodeProviderOptions = Readonly<{
  nodePath: string
  /** A folder for the guest program. */
  runtimeDir: string
  /** What the program is to run instead of the guest's file; a single-file executable carries its guest. */
  guestArgs?: readonly string[]
}>

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
        // and not an argument: a single-file executable takes none for Node
        NODE_OPTIONS: `--max-old-space-size=${memoryMb}`,
      },
    }),
  probe: async () => ({
    ok: true,
    level: 'none',
    notes: ['Jobs run in plain Node: no wall stands between them and this machine.'],
  }),
})
