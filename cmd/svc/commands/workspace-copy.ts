/** `svc workspace export|import|discard`: writes a workspace to one file, and imports it into a database. */
import { readFileSync } from 'node:fs'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { databaseAddressOf } from '#config/config.ts'
import { invalid } from '#core/error.ts'
import { VERSION } from '#node/version.ts'
import { withDeps, withExistingDeps, withWorkspaceDeps } from '#node/with-deps.ts'
import { workspaceFileLines, writeWorkspaceFile } from '#node/workspace-file.ts'
import { discardImport } from '#service/workspace-copy/discard-import.ts'
import { exportWorkspace } from '#service/workspace-copy/export-workspace.ts'
import { importWorkspace } from '#service/workspace-copy/import-workspace.ts'
import { openSnapshot } from '#store/workspace-copy/snapshot.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { namedFile } from '../named-file.ts'
import { printLine, showProgress } from '../print.ts'

const SHORTEST_PASSPHRASE = 16

const passphraseOption = {
  type: 'string',
  requiresArg: true,
  demandOption: true,
  describe: `File with a passphrase of at least ${SHORTEST_PASSPHRASE} characters that encrypts the secrets`,
} as const

const copyArguments = z.object({
  file: z.string().min(1, 'The name of the file must not be empty.'),
  passphraseFile: z.string().min(1, '--passphrase-file must not be empty.'),
})

const readPassphrase = (path: string): string => {
  const passphrase = readFileSync(namedFile(path), 'utf8').trim()
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  throw invalid(
    `${path} must hold a passphrase of at least ${SHORTEST_PASSPHRASE} characters. Make one with: openssl rand -base64 32`,
  )
}

export const exportCommand: CommandModule = {
  command: 'export <ws> <file>',
  describe: 'Export a workspace to a file; svc can keep running',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace ID' })
      .positional('file', { type: 'string', describe: 'New file' })
      .option('passphrase-file', passphraseOption)
      .example('$0 workspace export acme acme.svc.gz --passphrase-file key.txt', ''),
  handler: async (flags) => {
    const { ws, file, passphraseFile } = parseArguments(
      copyArguments.extend({ ws: z.string() }),
      flags,
    )
    const passphrase = readPassphrase(passphraseFile)
    const config = loadCommandConfig(flags)
    const counts: { table: string; rows: number }[] = []
    await withWorkspaceDeps(config, ws, async ({ deps, config: own }) => {
      const snapshot = await openSnapshot(databaseAddressOf(own))
      try {
        const onTable = (table: string, rows: number): void => {
          counts.push({ table, rows })
          showProgress(`${table}: ${rows} rows`)
        }
        const request = { ws, passphrase, version: VERSION, onTable }
        await writeWorkspaceFile(file, exportWorkspace(deps, snapshot, request))
      } finally {
        snapshot.close()
        showProgress('')
      }
    })
    for (const { table, rows } of counts) printLine(`${String(rows).padStart(10)}  ${table}`)
    const total = counts.reduce((sum, { rows }) => sum + rows, 0)
    printLine(`Wrote ${file}: ${total} rows of ${counts.length} tables.`)
  },
}

export const importCommand: CommandModule = {
  command: 'import <file>',
  describe: 'Import a workspace from a file; can be repeated after an interruption',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'File from `svc workspace export`' })
      .option('passphrase-file', passphraseOption)
      .example('$0 workspace import acme.svc.gz --passphrase-file key.txt', 'svc can keep running'),
  handler: async (flags) => {
    const { file, passphraseFile } = parseArguments(copyArguments, flags)
    const passphrase = readPassphrase(passphraseFile)
    const open = workspaceFileLines(namedFile(file))
    const onProgress = (rows: number): void => showProgress(`${rows} rows`)
    const { ws, rows, revokedTokens } = await withDeps(loadCommandConfig(flags), (deps) =>
      importWorkspace(deps, { open, passphrase, onProgress }),
    ).finally(() => showProgress(''))
    printLine(`Imported workspace ${ws}: ${rows} rows, compared with the file.`)
    if (revokedTokens > 0) {
      printLine(`Revoked ${revokedTokens} tokens of super admins of this instance; make new ones.`)
    }
  },
}

export const discardCommand: CommandModule = {
  command: 'discard <ws>',
  describe: 'Delete the rows of an unfinished import',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace ID' })
      .example('$0 workspace discard acme', 'Refuses to delete an active workspace'),
  handler: async (flags) => {
    const { ws } = parseArguments(z.object({ ws: z.string() }), flags)
    const rows = await withExistingDeps(loadCommandConfig(flags), (deps) => discardImport(deps, ws))
    printLine(`Removed ${rows} rows of workspace ${ws}.`)
  },
}
