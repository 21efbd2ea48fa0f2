/** Finds the secrets on this machine: in settings, in the environment, and in files of the data directory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { secretValues } from '#config/secret-values.ts'

const SECRET_FILE = /^(?:secret\.key.*|sqld-jwt\.key|initial-admin\.txt.*)$/

/** Characters. Shorter lines are not secrets. */
const MIN_LENGTH = 8

const secretsOfFile = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= MIN_LENGTH && !line.startsWith('-----'))

/** @throws if a file with secrets cannot be read, because its secrets could then not be masked */
export const findKnownSecrets = (config: Config): readonly string[] => {
  const names = existsSync(config.dataDir) ? readdirSync(config.dataDir) : []
  return [
    ...secretValues(config),
    ...names
      .filter((name) => SECRET_FILE.test(name))
      .flatMap((name) => secretsOfFile(join(config.dataDir, name))),
  ]
}
