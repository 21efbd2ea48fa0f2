/** `svc open [page]`: opens the console in the browser. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { createClient } from '#cli-client/client.ts'
import { hasConsolePage, plainPages } from '#cli-client/console-pages.ts'
import { addUsage, type Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { printLine } from '../print.ts'

const JOB_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws {UsageError} the argument is neither a page nor a job */
const pathOf = (page: unknown): string => {
  if (page === undefined) return ''
  const text = String(page)
  if (JOB_ID.test(text)) return `/jobs/${text}`
  if (hasConsolePage(text)) return `/${text}`
  throw new UsageError(
    `The console has no page "${text}". Name the id of a job, or one of ${plainPages().join(', ')}.`,
  )
}

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
      positionals: { page: 'Page such as jobs or flows, or a job ID' },
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
    const path = pathOf(page)
    const client = createClient()
    const url = `${client.endpoint}/ui/w/${await client.workspace()}${path}`
    printLine(url)
    if (print !== true) openInBrowser(url)
  },
}
