/** `svc events send <name>`: sends an event, which wakes jobs and runs that wait for it. */
import { z } from 'zod'
import { commandGroup } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { readJson } from '../input.ts'
import { printLine } from '../print.ts'
import { remoteCommand } from '../remote-command.ts'

const sent = z.looseObject({ event_id: z.string(), delivered: z.number() })

const send = remoteCommand({
  command: 'send <name>',
  describe: 'Send an event to the jobs and flows that wait for its name and key',
  positionals: { name: 'Event name, such as order.paid' },
  flags: {
    key: textOption('Event key, such as an order ID (default: none)'),
    data: textOption('Event data: JSON, @file, or - for standard input'),
    id: textOption('Your own event ID; a repeated ID is ignored for 24 hours'),
  },
  examples: [['$0 events send order.paid --key 4711 --data \'{"amount":20}\'', '']],
  answer: sent,
  request: async ({ name, key, data, id }) => ({
    path: '/events',
    method: 'POST',
    json: {
      name: String(name),
      ...(key === undefined ? {} : { key: String(key) }),
      ...(data === undefined ? {} : { data: await readJson(data, 'data') }),
      ...(id === undefined ? {} : { id: String(id) }),
    },
  }),
  print: ({ event_id, delivered }) => printLine(`${event_id}  delivered ${delivered}`),
})

export const command = commandGroup([send])
