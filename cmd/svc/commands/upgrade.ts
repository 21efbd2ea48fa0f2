/** `svc upgrade`: replaces this program with that of another release. It downloads and restarts nothing. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { AppError, unprocessable } from '#core/error.ts'
import { isOlder } from '#core/release/version.ts'
import { addUsage, type Command } from '../command.ts'
import { parseArguments, textOption } from '../command-arguments.ts'
import { UsageError } from '../exit.ts'
import { namedFile } from '../named-file.ts'
import { printLine } from '../print.ts'
import {
  checkHash,
  checkPlatform,
  checkSignature,
  isSameProgram,
  readVersion,
  replaceProgram,
} from '../program-file.ts'

const path = z.string().min(1, 'The name of a file must not be empty.')
const upgradeArguments = z.object({
  file: path,
  sums: path.optional(),
  key: path.optional(),
  to: path.optional(),
})

const missing = (message: string): AppError => new AppError('not_found', message)

/** The program to replace; links are followed. @param named undefined selects this program */
const findTarget = (named: string | undefined): string => {
  if (named !== undefined && !existsSync(named)) {
    throw missing(`There is no program ${resolve(named)} to replace. Check --to.`)
  }
  return realpathSync(named ?? process.execPath)
}

/** The file in which dpkg lists the files that the package has installed. */
const PACKAGED = '/var/lib/dpkg/info/svc.list'

/** Refuses a packaged program, because the next upgrade of the package would replace it. @throws {UsageError} */
const refusePackaged = (target: string): void => {
  if (!existsSync(PACKAGED)) return
  if (!readFileSync(PACKAGED, 'utf8').split('\n').includes(target)) return
  throw new UsageError(
    `${target} belongs to the Debian package svc. Upgrade that: apt install ./svc_<version>_<architecture>.deb`,
  )
}

/** The named list of hashes, else the one next to the file. */
const findSums = (file: string, named: string | undefined): string | null => {
  const sums = resolve(named ?? join(dirname(file), 'SHA256SUMS'))
  if (existsSync(sums)) return namedFile(sums)
  if (named === undefined) return null
  throw missing(`There is no list of hashes ${sums}. Check its name.`)
}

type Proofs = Readonly<{ sums: string | null; key: string | undefined }>

const requireProofs = ({ sums, key }: Proofs): void => {
  if (key === undefined) return
  if (sums === null || !existsSync(`${sums}.sig`)) {
    throw new UsageError(
      '--key checks the signature of SHA256SUMS: put SHA256SUMS and SHA256SUMS.sig next to the file.',
    )
  }
}

/** Checks a copy of the program before it may be used. @returns its version, and what was checked */
const check = (copy: string, name: string, { sums, key }: Proofs) => {
  const platform = checkPlatform(copy, name)
  if (sums !== null && key !== undefined) checkSignature(sums, `${sums}.sig`, key)
  if (sums !== null) checkHash(copy, name, sums)
  const version = readVersion(copy)
  if (version === null) {
    throw unprocessable(`${name} is not an svc: \`${name} --version\` fails.`, {
      code: 'upgrade_unusable',
    })
  }
  const hash = sums === null ? 'its hash was not checked: no SHA256SUMS' : `its hash is in ${sums}`
  const signature = key === undefined ? '' : `, which is signed by ${key}`
  return { version, sentence: `${name} is svc ${version} for ${platform}; ${hash}${signature}.` }
}

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { file: 'Program of the release, such as svc-linux-x64' },
      flags: {
        sums: textOption('File with its hashes [default: SHA256SUMS next to it, if it is there]'),
        key: textOption('Public key of releases; also verifies SHA256SUMS.sig'),
        to: textOption('Program to replace [default: this one]'),
      },
      examples: [['$0 upgrade --key release-key.pub ./svc-linux-x64', 'Then restart the nodes']],
    }),
  handler: (flags) => {
    const given = parseArguments(upgradeArguments, flags)
    const file = namedFile(resolve(given.file))
    if (!existsSync(file)) throw missing(`There is no file ${file}. Check its name.`)
    const target = findTarget(given.to)
    refusePackaged(target)
    const current = readVersion(target)
    if (current === null) {
      throw new UsageError(
        `${target} is not a program of svc. Name the one to replace: --to <file>`,
      )
    }
    const proofs = { sums: findSums(file, given.sums), key: given.key && namedFile(given.key) }
    requireProofs(proofs)
    if (isSameProgram(file, target)) {
      printLine(`${target} is this program already. Nothing was changed.`)
      return
    }
    const { checked, previous } = replaceProgram(file, target, (copy) =>
      check(copy, basename(file), proofs),
    )
    printLine(checked.sentence)
    printLine(`Replaced ${target}. The previous program, svc ${current}, is kept as ${previous}.`)
    printLine(`Running nodes keep svc ${current} until you restart them:`)
    printLine('  systemctl restart svc    # or send SIGTERM to each node, and start it again')
    printLine(`To go back: mv ${previous} ${target}, and restart.`)
    if (isOlder(checked.version, current)) {
      printLine(
        `svc ${checked.version} is older: it may refuse a database that svc ${current} has migrated. See docs/operating.md.`,
      )
    }
  },
}
