/** `svc workers`. */
import { z } from 'zod'
import { listCommand } from '../remote-command.ts'

export const command = listCommand({
  command: 'workers',
  describe: 'List live workers',
  examples: [['$0 workers --json', '']],
  path: '/workers',
  field: 'workers',
  row: z.looseObject({
    name: z.string(),
    group: z.string(),
    tags: z.array(z.string()),
    level: z.string(),
    running: z.number(),
    concurrency: z.number(),
    version: z.string(),
  }),
  columns: {
    WORKER: ({ name }) => name,
    GROUP: ({ group }) => group,
    TAGS: ({ tags }) => tags.join(' '),
    LEVEL: ({ level }) => level,
    RUNS: ({ running, concurrency }) => `${running}/${concurrency}`,
    VERSION: ({ version }) => version,
  },
  none: 'No worker is alive: queued jobs wait. Start one with `svc worker`.',
})
