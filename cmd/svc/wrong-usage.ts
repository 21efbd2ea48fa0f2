/** Turns yargs' message about a wrong command line into one that names the right usage. */
import { statSync } from 'node:fs'
import { nearestTo } from '#core/edit-distance.ts'
import { commandsIn, flagsIn, type ReadHelp, usageIn } from './help-text.ts'

type Place = Readonly<{
  /** The words that name a command. */
  path: readonly string[]
  /** Its subcommands. */
  names: readonly string[]
  /** The word after them, if the command has subcommands and none of this name. */
  unknown: string | null
}>

const placeOf = async (args: readonly string[], readHelp: ReadHelp): Promise<Place> => {
  const path: string[] = []
  for (;;) {
    const help = await readHelp(path)
    const names = commandsIn(help, path)
    const word = args[path.length]
    if (word === undefined || word.startsWith('-') || names.length === 0) {
      return { path, names, unknown: null }
    }
    // yargs prints the help of the last command that it knows; it knows `list`, which no help lists
    if ((await readHelp([...path, word])) === help) return { path, names, unknown: word }
    path.push(word)
  }
}

/** Whether a word takes the place of a command, but names none. */
export const namesNoCommand = async (
  args: readonly string[],
  readHelp: ReadHelp,
): Promise<boolean> => (await placeOf(args, readHelp)).unknown !== null

/** The maximum number of commands that the message lists; the help lists more. */
const MAX_NAMED = 12

/** Words for the same things in other tools. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'init',
    cron: 'schedules',
    env: 'variables',
    invoke: 'run',
    list: 'apps',
    new: 'init',
    ps: 'jobs',
    publish: 'deploy',
    push: 'deploy',
    schedule: 'schedules',
    secret: 'variables',
    secrets: 'variables',
    serve: 'start',
    trigger: 'run',
    up: 'start',
    version: '--version',
    watch: 'dev',
  }),
)

const noCommand = ({ path, names, unknown }: Place): string => {
  const parent = ['svc', ...path].join(' ')
  const sentence = `There is no command "${parent} ${unknown}".`
  const typed = unknown ?? ''
  const nearest = nearestTo(typed, names)
  const meant = path.length === 0 ? (OTHER_WORDS.get(typed) ?? nearest) : nearest
  if (meant !== undefined) return `${sentence} Did you mean ${meant}?`
  return names.length > MAX_NAMED ? sentence : `${sentence} ${parent} has ${names.join(', ')}.`
}

/** Rewrites yargs' messages, which assume that the reader knows yargs. */
const plainly = (message: string): string => {
  const missing = /^Missing required arguments?: (.+)$/.exec(message)?.[1]
  if (missing !== undefined) return `Missing: --${missing.replaceAll(', ', ', --')}`
  const bare = /^Not enough arguments following: (.+)$/.exec(message)?.[1]
  if (bare !== undefined) return `--${bare} needs a value.`
  const [, flag, given, choices] =
    /Argument: ([\w-]+), Given: (.+), Choices: (.+)$/.exec(message) ?? []
  if (flag === undefined || choices === undefined) return message
  return `--${flag} must be one of ${choices.replaceAll('"', '')}, not ${given}.`
}

/** A word too many, which yargs takes for a command if the command has subcommands. */
const UNWANTED = /^Unknown (?:argument|command)s?: (.+)$/s
const ABOUT_WORDS = /^(Unknown (argument|command)|Which )/
/** The first name is that of a flag, or a word that no argument takes. */
const UNKNOWN = /^Unknown arguments?: (([\w-]*).*)$/s
const WORDS_MISSING = /^Not enough non-option arguments/

/** Returns the only name that continues a word, as --data-dir continues --data. */
const beginningWith = (word: string, names: readonly string[]): string | undefined => {
  const [only, ...others] = word === '' ? [] : names.filter((name) => name.startsWith(`${word}-`))
  return others.length === 0 ? only : undefined
}

/** It does not repeat a word that no argument takes, because the word may be the value of a secret. */
const unknownArgument = (message: string, args: readonly string[], help: string): string => {
  const [, unwanted = '', flag = ''] = UNKNOWN.exec(message) ?? []
  const flags = flagsIn(help).map((each) => each.slice(2))
  const nearest = nearestTo(flag, flags) ?? beginningWith(flag, flags)
  if (nearest === undefined && args.some((each) => `${unwanted}, `.startsWith(`${each}, `))) {
    return `Too many arguments. Usage: ${usageIn(help)}`
  }
  // yargs names a flag with a dash a second time without it
  const unknown = flag.includes('-') ? `Unknown argument: ${flag}` : message
  return nearest === undefined ? unknown : `${unknown}. Did you mean --${nearest}?`
}

/** Whether an argument is the path of a folder, as for `svc deploy`. */
const isFolder = (word: string): boolean =>
  /[./]/.test(word) && statSync(word, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * @param message of yargs, or of a command about its own arguments
 * @returns what is wrong, and on a second line the command whose help explains more
 */
export const explainUsage = async (
  message: string,
  args: readonly string[],
  readHelp: ReadHelp,
): Promise<string> => {
  const place = await placeOf(args, readHelp)
  const sentence = async (): Promise<string> => {
    const [, word = ''] = UNWANTED.exec(message) ?? []
    if (place.path.length > 0 && isFolder(word)) {
      return `svc ${place.path.join(' ')} takes no folder. It works in the current one: cd ${word}`
    }
    if (place.unknown !== null && ABOUT_WORDS.test(message)) return noCommand(place)
    if (UNKNOWN.test(message)) return unknownArgument(message, args, await readHelp(place.path))
    if (!WORDS_MISSING.test(message)) return plainly(message)
    if (place.names.length > 0) {
      return `Which command? ${['svc', ...place.path].join(' ')} has ${place.names.join(', ')}.`
    }
    return `Missing: ${usageIn(await readHelp(place.path))}`
  }
  return `${await sentence()}\nSee \`${['svc', ...place.path].join(' ')} --help\`.`
}
