/** `svc db check`: finds damage in a database file, and rows that violate invariants. It changes nothing. */
import type { CommandModule } from 'yargs'
import { existingDatabasePath } from '#node/with-deps.ts'
import { checkDatabase } from '#store/maintenance/backup.ts'
import { checkInvariants, type Finding } from '#store/maintenance/check-invariants.ts'
import { INVARIANTS } from '#store/maintenance/invariants.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { cellOption, loadCellConfig, requireCell } from '../command-config.ts'
import { CommandFailed } from '../exit.ts'
import { coloured, jsonOption, printAnswer, printLine } from '../print.ts'

/** Returns the ids as ranges: I1 to I3, I7. */
const rangesOf = (ids: readonly string[]): readonly string[] => {
  const numbers = [...new Set(ids.map((id) => Number(id.slice(1))))].sort((a, b) => a - b)
  const firsts = numbers.filter((number) => !numbers.includes(number - 1))
  const lasts = numbers.filter((number) => !numbers.includes(number + 1))
  return firsts.map((first, at) =>
    first === lasts[at] ? `I${first}` : `I${first} to I${lasts[at]}`,
  )
}

const HOLD = `Invariants ${rangesOf(INVARIANTS.map(({ id }) => id)).join(', ')} hold; I8 to I11 show only while svc runs (docs/reliability.md).`

/** Why the invariants were not checked: each version of svc knows those of its own schema. */
const explainOtherSchema = (schema: number): string =>
  schema > SCHEMA_VERSION
    ? `Its invariants were not checked, because this svc knows schema ${SCHEMA_VERSION}: use the newer svc that migrated it.`
    : 'Its invariants were not checked: run `svc db migrate` first.'

const printFinding = ({ invariant, rule, found }: Finding): void => {
  printLine(`${coloured('red', '✗')} ${invariant} ${rule}, but:`)
  for (const fault of found) printLine(`    ${fault}`)
}

export const checkCommand: CommandModule = {
  command: 'check',
  describe: 'Check the database for damage and broken invariants; svc can keep running',
  builder: (yargs) =>
    yargs
      .option('json', jsonOption)
      .option('cell', cellOption)
      .example('$0 db check', 'Exits with 1 if something is wrong; changes nothing'),
  handler: (flags) => {
    const path = requireCell(flags, existingDatabasePath(loadCellConfig(flags)))
    const schema = checkDatabase(path)
    const findings = checkInvariants(path)
    const broken = (findings ?? []).filter(({ found }) => found.length > 0)
    const json = { database: path, schema, ok: broken.length === 0, invariants: findings }
    printAnswer(flags, json, () => {
      printLine(`${path} is intact: schema ${schema}.`)
      if (findings === null) printLine(explainOtherSchema(schema))
      else if (broken.length === 0) printLine(HOLD)
      for (const finding of broken) printFinding(finding)
    })
    if (broken.length > 0) throw new CommandFailed()
  },
}
