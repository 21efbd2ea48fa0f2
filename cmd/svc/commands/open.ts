/** `svc open [page]`: opens the console in the browser. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { z } from 'zod'
import { type Client, createClient } from '#cli-client/client.ts'
import { hasConsolePage, plainPages } from '#cli-client/console-pages.ts'
import { addUsage, type Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { printLine } from '../print.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws {UsageError} the argument is neither a page nor an id */
const pathOf = (page: unknown): string => {
  if (page === undefined) return ''
  const text = String(page)
  if (ID.test(text)) return `/jobs/${text}`
  if (hasConsolePage(text)) return `/${text}`
  throw new UsageError(
    `The console has no page "${text}". Name the id of a job or flow run, or one of ${plainPages().join(', ')}.`,
  )
}

/** Whether a flow run has this id. A token without the right to read flows opens jobs only. */
const isFlowRun = (client: Client, id: string): Promise<boolean> =>
  client.call(z.unknown(), `/flow-runs/${id}`).then(
    () => true,
    () => false,
  )

const openers: Readonly<Record<string, readonly [program: string, ...args: readonly string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Without a browser, only the printed address remains. */
const openInBrowser = (url: string): void => {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { page: 'Page such as jobs or flows, or the ID of a job or flow run' },
      flags: {
        print: {
          type: 'boolean',
          default: false,
          describe: 'Print the address without opening it',
        },
      },
      examples: [
        ['$0 open', ''],
        ['$0 open approvals --print', ''],
      ],
    }),
  handler: async ({ page, print }) => {
    const named = pathOf(page)
    const client = createClient()
    const isRun = ID.test(String(page)) && (await isFlowRun(client, String(page)))
    const path = isRun ? `/flow-runs/${String(page)}` : named
    const url = `${client.endpoint}/ui/w/${await client.workspace()}${path}`
    printLine(url)
    if (print !== true) openInBrowser(url)
  },
}
