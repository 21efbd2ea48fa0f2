/**
 * Defines commands that call a server by their flags, the request, and the columns of a table or the
 * printed sentence. `--json` prints the response unchanged.
 */
import type { Options } from 'yargs'
import { z } from 'zod'
import { type CallOptions, type Client, createClient } from '#cli-client/client.ts'
import { listAll, MAX_ROWS } from '#cli-client/list-all.ts'
import { addUsage, type Command, type Usage } from './command.ts'
import { parseArguments, wholeArgument } from './command-arguments.ts'
import { UsageError } from './exit.ts'
import type { Query } from './list-filters.ts'
import {
  type Columns,
  type Flags,
  jsonOption,
  printAnswer,
  printLine,
  printTable,
} from './print.ts'

/** A path below `/api/w/{ws}`, and the content of the request. */
type RemoteRequest = Readonly<{ path: string }> & CallOptions

export type NamedCommand = Command & Pick<Usage, 'command' | 'describe'>

type RemoteCommand<Schema extends z.ZodType> = Usage &
  Readonly<{
    answer: Schema
    /**
     * @param connect returns the client of the command, for what must be looked up
     * @throws {UsageError} an argument is invalid
     */
    request: (flags: Flags, connect: () => Client) => RemoteRequest | Promise<RemoteRequest>
    print: (answer: z.output<Schema>, flags: Flags) => void
    /** Sends the request. @default one call */
    send?: (client: Client, request: RemoteRequest) => Promise<z.output<Schema>>
    /** With the flag `wait`: waits for what the request has started, and prints how it ended instead of the response. */
    wait?: (client: Client, answer: z.output<Schema>, flags: Flags) => Promise<void>
    /** The value that `--json` prints. @default the response */
    toJson?: (answer: z.output<Schema>) => unknown
  }>

/** Faults of the arguments are reported before those of the credentials, so the client is created when it is first needed. */
const connectOnce = (): (() => Client) => {
  let client: Client | undefined
  return () => {
    client ??= createClient()
    return client
  }
}

export const remoteCommand = <Schema extends z.ZodType>({
  answer,
  request,
  print,
  send = (client, { path, ...options }) => client.call(answer, path, options),
  wait,
  toJson = (found) => found,
  ...usage
}: RemoteCommand<Schema>): NamedCommand => ({
  command: usage.command,
  describe: usage.describe,
  builder: (yargs) => addUsage(yargs, usage).option('json', jsonOption),
  handler: async (flags) => {
    const connect = connectOnce()
    const wanted = await request(flags, connect)
    const found = await send(connect(), wanted)
    if (wait !== undefined && flags.wait === true) return wait(connect(), found, flags)
    printAnswer(flags, toJson(found), () => print(found, flags))
  },
})

type ListCommand<Row extends z.ZodType> = Omit<Usage, 'flags'> &
  Readonly<{
    path: string | ((flags: Flags) => string | Promise<string>)
    /** Whether the list is read to its end, however many pages it has. @default its first page */
    isWhole?: boolean
    /** Flags that are sent as the query. */
    query?: Readonly<Record<string, Options>>
    /** What is sent instead of the given values of some of these flags. @throws {UsageError} */
    toQuery?: (flags: Flags) => Query
    /** The field of the response that contains the rows. @default items */
    field?: string
    row: Row
    columns: Columns<z.output<Row>>
    /** Printed if there are no rows. */
    none: string
  }>

export const limitOption = {
  type: 'number',
  requiresArg: true,
  default: 20,
  describe: `Maximum number of rows, 1 to ${MAX_ROWS}`,
} as const
const limited = z.looseObject({ limit: wholeArgument('limit', 1, MAX_ROWS) })

const queryOf = (values: Query): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

export const listCommand = <Row extends z.ZodType>({
  path,
  isWhole = false,
  query = {},
  toQuery = () => ({}),
  field = 'items',
  row,
  columns,
  none,
  ...usage
}: ListCommand<Row>): NamedCommand => {
  const answer = z.looseObject({ [field]: z.array(row) })
  return remoteCommand({
    ...usage,
    flags: query,
    answer,
    // a page may end before it has as many rows as were requested
    send: async (client, { path: start }) => {
      if (!isWhole) return client.call(answer, start)
      const pages = await listAll(client, answer, start)
      return { ...pages.at(-1), [field]: pages.flatMap((page) => page[field] ?? []) }
    },
    request: async (flags) => {
      if (query.limit !== undefined) parseArguments(limited, flags)
      const base = typeof path === 'string' ? path : await path(flags)
      const given = Object.fromEntries(Object.keys(query).map((name) => [name, flags[name]]))
      const limit = isWhole ? { limit: MAX_ROWS } : {}
      return { path: `${base}${queryOf({ ...given, ...toQuery(flags), ...limit })}` }
    },
    print: (found) => {
      const rows = found[field] ?? []
      if (rows.length === 0) printLine(none)
      else printTable(columns, rows)
    },
  })
}

type DeleteCommand = Readonly<{
  /** The kind of thing that is deleted, for people. */
  noun: string
  /** The positional argument that names it. */
  argument: string
  /** @param value as a segment of a path */
  pathOf: (value: string) => string
  /** How the help describes the argument. @default the noun with the argument's name */
  about?: string
  /** Returns the value that the path needs. @default what was typed */
  find?: (connect: () => Client, typed: string) => Promise<string>
}>

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `delete <id>`. With `--json` it prints what was deleted. */
export const deleteCommand = ({
  noun,
  argument,
  pathOf,
  about = `${capitalised(noun)} ${argument === 'id' ? 'ID' : argument}`,
  find = async (_, typed) => typed,
}: DeleteCommand): NamedCommand => ({
  command: `delete <${argument}>`,
  describe: `Delete a ${noun}`,
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { [argument]: about },
      flags: { json: jsonOption },
    }),
  handler: async (flags) => {
    const value = String(flags[argument])
    const connect = connectOnce()
    const path = pathOf(segment(await find(connect, value)))
    await connect().call(z.unknown(), path, { method: 'DELETE' })
    printAnswer(flags, { deleted: value }, () => printLine(`Deleted ${value}.`))
  },
})

/** A positional argument as a segment of a path. @throws {UsageError} it is empty, and would name another route */
export const segment = (value: unknown): string => {
  const text = String(value)
  if (text === '')
    throw new UsageError('An argument is empty. Is a variable of your shell not set?')
  // a URL leaves both out, with the part before "..", and so names another route
  if (text === '.' || text === '..') throw new UsageError(`"${text}" names nothing that svc has.`)
  return encodeURIComponent(text)
}
