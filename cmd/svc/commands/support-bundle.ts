/** `svc support-bundle`: writes one file with what a person needs to know about this node to help, without secrets. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { packArchive } from '#bundle/pack-archive.ts'
import { loadConfig } from '#config/config.ts'
import { conflict, notFound } from '#core/error.ts'
import { collectSupport } from '#node/support/collect.ts'
import { codeOf } from '#store/database-error.ts'
import { addUsage, type Command } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { namedFile } from '../named-file.ts'
import { printLine } from '../print.ts'

const bundleArguments = z.object({
  file: z.string().min(1, 'The name must not be empty.').optional(),
  log: z.string().min(1, '--log must name a file, or be - for standard input.').optional(),
})

const FOLDER = 'svc-support'

/** Creates the file, readable by its owner only; it never overwrites another file. */
const writeNew = (file: string, bytes: Uint8Array): void => {
  try {
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw notFound(`Folder "${dirname(file)}"`, { cause: error })
    if (codeOf(error) !== 'EEXIST') throw error
    throw conflict(
      statSync(file).isDirectory()
        ? `${file} is a folder. Name a new file in it, such as ${join(file, 'svc-support.tar.gz')}.`
        : `${file} is there already. Choose another name.`,
      { cause: error },
    )
  }
}

const readLog = async (file: string | undefined): Promise<string | null> => {
  if (file === undefined) return null
  return file === '-' ? await text(process.stdin) : readFileSync(namedFile(file), 'utf8')
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { file: 'A name that is not taken [default: svc-support-<time>.tar.gz]' },
      flags: {
        log: textOption('Include the last lines of this log; - reads standard input'),
      },
      examples: [
        ['journalctl -u svc -n 2000 -o cat | $0 support-bundle --log -', 'As a systemd service'],
        ['docker logs svc 2>&1 | $0 support-bundle --log -', 'As a container'],
      ],
    }),
  handler: async (flags) => {
    const given = parseArguments(bundleArguments, flags)
    const { config, warnings } = loadConfig({ flags })
    const now = new Date()
    const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
    const file = resolve(given.file ?? `${FOLDER}-${stamp}.tar.gz`)
    const texts = await collectSupport(config, { warnings, log: await readLog(given.log), now })
    const files = new Map(
      [...texts].map(([name, body]) => [`${FOLDER}/${name}`, Buffer.from(body)] as const),
    )
    const bytes = await packArchive(files, [...files.keys()])
    writeNew(file, bytes)
    printLine(
      `Wrote ${file}: ${bytes.length} bytes. Secrets are masked; read it before you send it:`,
    )
    printLine(`  tar -xzOf ${file} | less`)
    if (given.log === undefined) printLine('The bundle has no log. Add one with --log <file>.')
  },
}
