/** `svc templates [name]`: creates a function from a template. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { conflict } from '#core/error.ts'
import { functionPath, writeFunction } from '#project/function-folder.ts'
import { TEMPLATES, type Template } from '#project/templates.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { coloured, jsonOption, printAnswer, printLine } from '../print.ts'

const list = (): string =>
  TEMPLATES.map(({ name, describe }, at) => `  ${at + 1}  ${name.padEnd(18)}${describe}`).join('\n')

/** Finds a template by number or name. */
const choose = (answer: string): Template | undefined =>
  TEMPLATES.find(({ name }, at) => name === answer.trim() || String(at + 1) === answer.trim())

/** @throws {UsageError} */
const ask = async (): Promise<Template> => {
  if (!process.stdin.isTTY) {
    throw new UsageError(`Which template? svc templates <name>:\n${list()}`)
  }
  process.stderr.write(`${list()}\n`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (;;) {
      const found = choose(await terminal.question('Which one? '))
      if (found !== undefined) return found
      process.stderr.write(`A number from 1 to ${TEMPLATES.length}, or a name.\n`)
    }
  } finally {
    terminal.close()
  }
}

const find = (name: string): Template => {
  const found = choose(name)
  if (found !== undefined) return found
  throw new UsageError(`There is no template "${name}". There are:\n${list()}`)
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('name', {
        type: 'string',
        describe: 'Template name (default: choose from a list)',
      })
      .option('dir', {
        type: 'string',
        default: '.',
        requiresArg: true,
        describe: 'Project folder',
      })
      .option('list', { type: 'boolean', default: false, describe: 'List the templates' })
      .option('json', jsonOption)
      .example('$0 templates hello', 'Create functions/hello'),
  handler: async (flags) => {
    if (flags.list === true) {
      const names = TEMPLATES.map(({ name, describe }) => ({ name, describe }))
      return printAnswer(flags, names, () => printLine(list()))
    }
    const { name, files, tryIt } = flags.name === undefined ? await ask() : find(String(flags.name))
    const folder = String(flags.dir)
    const path = functionPath(folder, name)
    if (existsSync(path)) {
      throw conflict(`${path} is there already. Rename it, or choose another template.`)
    }
    const encoder = new TextEncoder()
    const entries = Object.entries(files).map(
      ([file, text]) => [file, encoder.encode(text)] as const,
    )
    writeFunction(folder, name, new Map(entries))
    const made = Object.keys(files)
    printAnswer(flags, { name, path, files: made }, () => {
      printLine(`Created ${relative('.', path)} with ${made.join(', ')}.`)
      printLine(`Try it: ${coloured('bold', 'svc dev')}, then ${coloured('cyan', tryIt)}`)
    })
  },
}
